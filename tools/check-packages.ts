/**
 * `npm run packages`: checks the packages of the lock files against the project's rules. Prints each that
 * breaks one, and exits with 1. Known vulnerabilities are checked if the registry has an audit.
 */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { readAudit } from "./packages/audit.ts";
import { findIssues } from "./packages/lock-file.ts";

/** Folders with a package.json and a lock file. */
const PROJECTS = [".", "tools/mcp-validators"];

async function issuesOf(folder: string): Promise<string[]> {
  const read = async (name: string) => JSON.parse(await readFile(`${folder}/${name}`, "utf8"));
  const { allowScripts = {} } = await read("package.json");
  // Validators are not part of an installation: tests run them.
  return findIssues(await read("package-lock.json"), allowScripts, { isInstalled: folder === "." });
}

/** Resolves with the output of npm's audit, which exits with 1 if it finds something. */
function audit(): Promise<string> {
  const options = ["--omit=dev", "--json", "--fetch-retries=0", "--fetch-timeout=30000"];
  return new Promise((resolve) => {
    execFile("npm", ["audit", ...options], (_, output) => resolve(output));
  });
}

const audited = readAudit(await audit());
const issues = [
  ...(await Promise.all(PROJECTS.map(issuesOf))).flat(),
  ...("issues" in audited ? audited.issues : []),
];
for (const issue of issues) console.error(issue);
if ("why" in audited) console.log(`known vulnerabilities are not checked: ${audited.why}`);
console.log(`${issues.length} packages or entries break a rule`);
process.exitCode = issues.length > 0 ? 1 : 0;
