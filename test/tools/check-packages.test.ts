/** The check of packages, on small lock files and audits. */
import t from "tap";
import { readAudit } from "../../tools/packages/audit.ts";
import { findIssues, type LockedPackage } from "../../tools/packages/lock-file.ts";

const sound: LockedPackage = { license: "MIT", integrity: "sha512-AAAA" };

const issuesOf = (fields: LockedPackage, scripts = {}, isInstalled = true) => {
  const packages = { "": {}, "node_modules/a/node_modules/@b/c": fields };
  return findIssues({ packages }, scripts, { isInstalled });
};

t.test("takes packages that break no rule", async (t) => {
  const licences = ["MIT", "(MIT OR GPL-3.0-only)", "Apache-2.0 AND LGPL-3.0-or-later AND MIT"];
  for (const license of licences) t.same(issuesOf({ ...sound, license }), [], license);
  const script = { ...sound, hasInstallScript: true };
  for (const allowed of [true, false]) t.same(issuesOf(script, { "@b/c": allowed }), []);
  t.same(issuesOf({ ...sound, license: "GPL-3.0-only", dev: true }), []);
  t.same(issuesOf({ ...sound, license: "GPL-3.0-only" }, {}, false), []);
  t.same(issuesOf({ link: true }), []);
});

t.test("names a package that breaks a rule, and the rule", async (t) => {
  const folder = "node_modules/a/node_modules/@b/c";
  for (const [fields, issue] of [
    [{ license: "GPL-3.0-only" }, "the licence GPL-3.0-only is not allowed"],
    [{ license: "MIT AND GPL-3.0-only" }, "the licence MIT AND GPL-3.0-only is not allowed"],
    [{ license: "SEE LICENSE IN README" }, "the licence SEE LICENSE IN README is not allowed"],
    [{ license: undefined }, "the licence (none) is not allowed"],
    [{ integrity: undefined }, "no SHA-512 checksum"],
    [{ integrity: "sha1-AAAA" }, "no SHA-512 checksum"],
    [
      { hasInstallScript: true },
      "has an install script that allowScripts neither allows nor forbids",
    ],
  ] as const) {
    t.same(issuesOf({ ...sound, ...fields }), [`${folder}: ${issue}`]);
  }
  t.same(issuesOf(sound, { "@b/c": true }), ["allowScripts: @b/c has no install script"]);
});

t.test("reads severe vulnerabilities of an audit, or why there is none", async (t) => {
  const vulnerabilities = {
    a: { severity: "moderate" },
    b: { severity: "high" },
    c: { severity: "critical" },
  };
  t.same(readAudit(JSON.stringify({ vulnerabilities })), {
    issues: ["b: a high vulnerability", "c: a critical vulnerability"],
  });
  t.same(readAudit(JSON.stringify({ vulnerabilities: {} })), { issues: [] });
  t.same(readAudit(JSON.stringify({ message: "405 Method Not Allowed", error: {} })), {
    why: "405 Method Not Allowed",
  });
  t.same(readAudit(""), { issues: ["npm audit failed: no output"] });
  const broken = JSON.stringify({ error: { code: "ENOLOCK" } });
  t.same(readAudit(broken), { issues: [`npm audit failed: ${broken}`] });
});
