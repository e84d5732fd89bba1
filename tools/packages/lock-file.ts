/** The rules for packages, checked against a lock file of npm: licences, install scripts, checksums. */
import parse, { type Info } from "spdx-expression-parse";

/** A package of a lock file (version 3), with the fields that the rules are about. */
export interface LockedPackage {
  readonly license?: string | undefined;
  /** Whether only development needs it. */
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
  readonly integrity?: string | undefined;
  /** Whether it is a link to a folder of the repository. */
  readonly link?: boolean;
}

export interface LockFile {
  /** Packages by their folders; "" is the project itself. */
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

/** Which packages may run their install scripts; the others are named with `false`. */
export type AllowedScripts = Readonly<Record<string, boolean>>;

/**
 * Licences of what an installation contains (SPDX). LGPL: libvips, which sharp loads as a shared library
 * that can be replaced.
 */
const LICENCES = new Set([
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC0-1.0",
  "ISC",
  "LGPL-3.0-or-later",
  "MIT",
  "MIT-0",
]);

const FOLDER = "node_modules/";

/**
 * Returns a sentence for each package that breaks a rule. Licences are free for packages of development,
 * and for all of a project that is not part of an installation.
 */
export function findIssues(
  { packages }: LockFile,
  allowedScripts: AllowedScripts,
  { isInstalled }: { readonly isInstalled: boolean },
): string[] {
  const installed = Object.entries(packages).filter(
    ([folder, { link }]) => folder.includes(FOLDER) && !link,
  );
  const withScripts = new Set<string>();
  const issues = installed.flatMap(([folder, { license, dev, hasInstallScript, integrity }]) => {
    const name = folder.slice(folder.lastIndexOf(FOLDER) + FOLDER.length);
    if (hasInstallScript) withScripts.add(name);
    return [
      !integrity?.startsWith("sha512-") && `${folder}: no SHA-512 checksum`,
      isInstalled &&
        !dev &&
        !isAllowed(license) &&
        `${folder}: the licence ${license ?? "(none)"} is not allowed`,
      hasInstallScript &&
        allowedScripts[name] === undefined &&
        `${folder}: has an install script that allowScripts neither allows nor forbids`,
    ].filter((issue) => typeof issue === "string");
  });
  const unused = Object.keys(allowedScripts).filter((name) => !withScripts.has(name));
  return [...issues, ...unused.map((name) => `allowScripts: ${name} has no install script`)];
}

/** Whether a licence expression can be satisfied with allowed licences alone. */
function isAllowed(expression: string | undefined): boolean {
  if (expression === undefined) return false;
  const satisfies = (node: Info): boolean => {
    if ("license" in node) return LICENCES.has(node.license);
    const { left, conjunction, right } = node;
    return conjunction === "or"
      ? satisfies(left) || satisfies(right)
      : satisfies(left) && satisfies(right);
  };
  try {
    return satisfies(parse(expression));
  } catch {
    // No SPDX expression, such as "SEE LICENSE IN README.md".
    return false;
  }
}
