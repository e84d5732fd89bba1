/** The service as a separate process: starting and stopping. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { promisify } from "node:util";
import t, { type Test } from "tap";
import { openDatabase } from "../../../db/index.ts";
import { createAccount } from "../../../server/actions/accounts.ts";
import { createApiKey } from "../../../server/actions/api-keys.ts";
import { descendantsOf } from "../../helpers/child-processes.ts";
import { testDatabaseUrl } from "../../helpers/database.ts";
import { portOf } from "../../helpers/port-of.ts";
import { startService } from "../../helpers/service.ts";

/** A listening service, with a pattern to render. */
async function startWithPattern(t: Test, environment: Readonly<Record<string, string>> = {}) {
  const databaseUrl = await testDatabaseUrl();
  const db = await openDatabase({ url: databaseUrl, dataDir: "" });
  const account = await createAccount(db, { email: "a@example.com", plan: "pro" });
  const { secret } = await createApiKey(db, account.id, "test");
  await db.close();
  const started = await startService(t, { DATABASE_URL: databaseUrl, ...environment });
  const url = await started.url();
  const headers = { "X-API-Key": secret, "Content-Type": "application/json" };
  const post = async (path: string, json: object) => {
    const body = JSON.stringify(json);
    const response = await fetch(`${url}/api/v1${path}`, { method: "POST", headers, body });
    return await response.json();
  };
  const source = await post("/sources/presets", { preset: "floral", seed: 1 });
  const { id } = await post("/patterns", { source_id: source.id, group: "p2" });
  const render = (query: string) =>
    fetch(`${url}/api/v1/patterns/${id}/render?rotation=9&mode=surface&${query}`, { headers });
  return { ...started, url, render, post };
}

t.test("the first signal finishes running renders and exits with 0", async (t) => {
  const { process: service, url, render, line, ended } = await startWithPattern(t);
  const large = await render("surface_width=2500&surface_height=2000");
  t.equal(large.status, 200);
  service.kill("SIGTERM");
  await line(/SIGTERM/);
  const bytes = Buffer.from(await large.arrayBuffer());
  t.equal(bytes.subarray(-8, -4).toString("latin1"), "IEND", "the picture is whole");
  t.equal(await ended, 0);
  await t.rejects(fetch(`${url}/healthz`));
});

t.test(
  "a slow decoder does not delay the exit",
  { skip: process.platform !== "linux" },
  async (t) => {
    const started = await startWithPattern(t, { SHUTDOWN_GRACE_MS: "300" });
    const { process: service, line, ended, post } = started;
    const processorTime = () =>
      descendantsOf(service.pid ?? 0).reduce((sum, { ticks }) => sum + ticks, 0);
    const before = processorTime();
    const rect = '<rect width="9" height="9" fill-opacity=".5"/>';
    const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${rect.repeat(99_000)}</svg>`;
    const upload = post("/sources/upload", { data: Buffer.from(drawing).toString("base64") });
    const cut = t.rejects(upload);
    // It is parsed by then, and being drawn.
    while (processorTime() < before + 150) await new Promise(setImmediate);
    service.kill("SIGTERM");
    await line(/SIGTERM/);
    t.equal(await ended, 0);
    await cut;
  },
);

t.test("the second signal exits at once", async (t) => {
  const { process: service, render, line, ended } = await startWithPattern(t);
  const large = await render("surface_width=20000&surface_height=20000");
  service.kill("SIGINT");
  await line(/SIGINT/);
  // Immediately after the first it would count as the same one.
  const repeated = setInterval(() => service.kill("SIGINT"), 50);
  t.equal(await ended, 1);
  clearInterval(repeated);
  await t.rejects(large.arrayBuffer());
});

t.test("the log has one line of JSON for each request", async (t) => {
  const { process: service, url, line, lines, ended } = await startWithPattern(t);
  await fetch(`${url}/healthz`, { headers: { "X-Request-Id": "look-for-me" } });
  const [entry] = await line(/^\{.*look-for-me.*\}$/);
  t.match(JSON.parse(entry), {
    level: "info",
    time: /^\d{4}-\d\d-\d\dT.*Z$/,
    method: "GET",
    path: "/healthz",
    route: "/healthz",
    status: 200,
    ms: Number,
    request_id: "look-for-me",
    address: "127.0.0.1",
  });
  service.kill("SIGTERM");
  t.equal(await ended, 0);
  const messages = lines.map((text) => JSON.parse(text).msg);
  t.match(messages[0], /^orbifold \S+ listens at /);
  t.match(messages.slice(-2), [/^SIGTERM: /, "stopped"], "nothing is lost at the exit");
});

t.test("reports a port in use in one line", async (t) => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  t.teardown(() => other.close());
  const port = portOf(other);
  const { lines, ended } = await startService(t, { PORT: String(port) });
  t.equal(await ended, 1);
  t.equal(lines.length, 1);
  t.match(lines[0], `orbifold: listen EADDRINUSE: address already in use 127.0.0.1:${port}`);
});

t.test("an unavailable backend fails the start", async (t) => {
  const environment = { ENGINE_BACKEND: "webgpu", VK_DRIVER_FILES: "/nowhere" };
  const { lines, ended } = await startService(t, environment);
  t.equal(await ended, 78);
  // The system's Vulkan may print lines before it.
  t.match(lines.at(-1), /^orbifold: .*webgpu/);
});

const npmVersion = (await promisify(execFile)("npm", ["--version"])).stdout.trim();
// npm 9 does not forward signals.
const skip = Number.parseInt(npmVersion, 10) < 10 && `npm ${npmVersion} passes no signal on`;

t.test("a signal to `npm start` stops the server", { skip }, async (t) => {
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    const { process: npm, url, line, ended } = await startService(t, {}, ["npm", "start"]);
    const listening = await url();
    npm.kill(signal);
    // Its output ends when the server itself does.
    await line(/"msg":"stopped"/);
    await ended;
    await t.rejects(fetch(`${listening}/healthz`));
  }
});
