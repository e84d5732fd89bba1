/** Known vulnerabilities, as the registry's audit reports them. */

const SEVERE = ["high", "critical"];

interface Audit {
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string }>>;
  /** Of a registry that has no audit, or cannot be reached. */
  readonly message?: string;
}

/**
 * Reads the output of `npm audit --json`. Returns a sentence for each package with a severe
 * vulnerability, or why the registry reports none.
 */
export function readAudit(
  output: string,
): { readonly issues: string[] } | { readonly why: string } {
  const { vulnerabilities, message }: Audit = output.startsWith("{") ? JSON.parse(output) : {};
  if (message !== undefined) return { why: message };
  if (!vulnerabilities) return { issues: [`npm audit failed: ${output || "no output"}`] };
  const severe = Object.entries(vulnerabilities).filter(([, { severity }]) =>
    SEVERE.includes(severity),
  );
  return { issues: severe.map(([name, { severity }]) => `${name}: a ${severity} vulnerability`) };
}
