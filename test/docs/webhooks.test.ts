/** The page's verification code, run against a real delivery. */
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import t, { type Test } from "tap";
import { temporaryFolder } from "../helpers/database.ts";
import { until } from "../helpers/jobs.ts";
import { type TestServer, testServer } from "../helpers/server.ts";
import { deliver, LOOPBACK, receiver, subscribe } from "../helpers/webhooks.ts";

const run = promisify(execFile);
const PAGE = await readFile(new URL("../../docs/webhooks.md", import.meta.url), "utf8");

const blocks = (language: string) =>
  [...PAGE.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, "gms"))].map(
    ([, code]) => code,
  );

/** A received request, and the secret to verify it with. */
interface Case {
  readonly headers: object;
  readonly body: string;
  readonly secret: string;
}

/** Runs the code of each language on the cases; true: accepted. */
const JUDGES: Readonly<Record<string, (folder: string) => Promise<readonly boolean[]>>> = {
  async JavaScript(folder) {
    const script = `${blocks("js").join("\n")}
      import { readFileSync } from "node:fs";
      const cases = JSON.parse(readFileSync("cases.json", "utf8"));
      console.log(JSON.stringify(cases.map((one) => isOurs(one.headers, one.body, one.secret))));`;
    await writeFile(join(folder, "verify.mjs"), script);
    const { stdout } = await run(process.execPath, ["verify.mjs"], { cwd: folder });
    return JSON.parse(stdout);
  },
  async Python(folder) {
    const script = `${blocks("python").join("\n")}
import json
cases = json.load(open("cases.json", encoding="utf8"))
parts = [(one["headers"], one["body"], one["secret"]) for one in cases]
for one in parts:
    assert is_ours(*one) == is_signed(*one)
print(json.dumps([is_ours(*one) for one in parts]))`;
    await writeFile(join(folder, "verify.py"), script);
    const { stdout } = await run("python3", ["verify.py"], { cwd: folder });
    return JSON.parse(stdout);
  },
};

const hasPython = await run("python3", ["--version"]).then(
  () => true,
  () => false,
);

/** A real delivery, and invalid variants of it. */
async function makeCases(t: Test, server: TestServer): Promise<readonly Case[]> {
  const target = await receiver(t);
  const { secret } = await subscribe(server, target.url);
  const other = await subscribe(server, target.url, ["credits.low"]);
  await server.makePattern({ name: "Käte’s 🌸" });
  await until(() => target.received.length === 1);
  const [received] = target.received;
  if (!received) throw new Error("nothing came");
  const { headers, body } = received;
  const names = ["webhook-id", "webhook-timestamp", "webhook-signature"];
  /** Values that a stranger may send in a header; undefined: omitted. */
  const garbled = [undefined, "", "x", "v1,", "é", "-1", "1e99", "9".repeat(5000), "v1,é v1,"];
  const strange = names.flatMap((name) =>
    garbled.map((value) => ({ ...headers, "x-service-signature": value, [name]: value })),
  );
  return [
    { headers, body, secret },
    { headers, body: body.replace("p4", "p6"), secret },
    { headers, body, secret: other.secret },
    ...strange.map((given) => ({ headers: given, body, secret })),
  ];
}

for (const [language, judge] of Object.entries(JUDGES)) {
  const skip = language === "Python" && !hasPython ? "python3 is not installed" : false;
  t.test(`the code in ${language} verifies the signatures of deliveries`, { skip }, async (t) => {
    const server = await testServer(t, LOOPBACK);
    await deliver(t, server.db);
    const folder = await temporaryFolder(t);
    const cases = await makeCases(t, server);
    await writeFile(join(folder, "cases.json"), JSON.stringify(cases));
    const [ours, ...others] = await judge(folder);
    t.equal(ours, true);
    t.ok(others.length > 10);
    t.same([...new Set(others)], [false]);
  });
}
