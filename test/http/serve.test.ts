/** The whole service as a process of its own: how it starts, and how it stops. */
import { once } from "node:events";
import { createServer } from "node:net";
import t, { type Test } from "tap";
import { openDatabase } from "../../db/index.ts";
import { createAccount } from "../../server/actions/accounts.ts";
import { createApiKey } from "../../server/actions/api-keys.ts";
import { testDatabaseUrl } from "../helpers/database.ts";
import { startService } from "../helpers/service.ts";

/** A service that listens, with a pattern to render. */
async function startWithPattern(t: Test) {
  const databaseUrl = await testDatabaseUrl();
  const db = await openDatabase({ url: databaseUrl, dataDir: "" });
  const account = await createAccount(db, { email: "a@example.com", plan: "pro" });
  const { secret } = await createApiKey(db, account.id, "test");
  await db.close();
  const started = await startService(t, { DATABASE_URL: databaseUrl });
  const url = await started.url();
  const headers = { "X-API-Key": secret, "Content-Type": "application/json" };
  const post = async (path: string, json: object) => {
    const body = JSON.stringify(json);
    const response = await fetch(`${url}/api/v1${path}`, { method: "POST", headers, body });
    return (await response.json()) as { id: number };
  };
  const source = await post("/sources/presets", { preset: "floral", seed: 1 });
  const { id } = await post("/patterns", { source_id: source.id, group: "p2" });
  const render = (query: string) =>
    fetch(`${url}/api/v1/patterns/${id}/render?rotation=9&mode=surface&${query}`, { headers });
  return { ...started, url, render };
}

t.test("the first signal lets a running render finish, and the process ends well", async (t) => {
  const { process: service, url, render, line, ended } = await startWithPattern(t);
  const large = await render("surface_width=5000&surface_height=4000");
  t.equal(large.status, 200);
  service.kill("SIGTERM");
  await line(/SIGTERM/);
  const bytes = Buffer.from(await large.arrayBuffer());
  t.equal(bytes.subarray(-8, -4).toString("latin1"), "IEND", "the picture is whole");
  t.equal(await ended, 0);
  await t.rejects(fetch(`${url}/healthz`));
});

t.test("the second signal ends the process at once", async (t) => {
  const { process: service, render, line, ended } = await startWithPattern(t);
  const large = await render("surface_width=20000&surface_height=20000");
  service.kill("SIGINT");
  await line(/SIGINT/);
  service.kill("SIGINT");
  t.equal(await ended, 1);
  await t.rejects(large.arrayBuffer());
});

t.test("the log has one line of JSON for each request", async (t) => {
  const { url, line } = await startWithPattern(t);
  await fetch(`${url}/healthz`, { headers: { "X-Request-Id": "look-for-me" } });
  const [entry] = await line(/^\{.*look-for-me.*\}$/);
  t.match(JSON.parse(entry), {
    time: /^\d{4}-\d\d-\d\dT.*Z$/,
    method: "GET",
    path: "/healthz",
    status: 200,
    ms: Number,
    request_id: "look-for-me",
  });
});

t.test("a port in use is told in one line", async (t) => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  t.teardown(() => other.close());
  const { port } = other.address() as { port: number };
  const { lines, ended } = await startService(t, { PORT: String(port) });
  t.equal(await ended, 1);
  t.equal(lines.length, 1);
  t.match(lines[0], `orbifold: listen EADDRINUSE: address already in use 127.0.0.1:${port}`);
});

t.test("a backend that is not there ends the start", async (t) => {
  const environment = { ENGINE_BACKEND: "webgpu", VK_DRIVER_FILES: "/nowhere" };
  const { lines, ended } = await startService(t, environment);
  t.equal(await ended, 78);
  // Whatever the system's Vulkan says stands before it.
  t.match(lines.at(-1), /^orbifold: .*webgpu/);
});
