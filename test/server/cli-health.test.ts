/** The command that asks a running service whether it is ready. */
import { once } from "node:events";
import { createServer } from "node:http";
import t from "tap";
import { orbifold } from "../helpers/command-line.ts";
import { portOf } from "../helpers/port-of.ts";
import { testServer } from "../helpers/server.ts";

const portIn = (url: string) => ({ PORT: new URL(url).port });

t.test("says what a ready service checks, and ends with 1 for one that stops", async (t) => {
  const server = await testServer(t);
  const env = portIn(server.url);
  const { code, stdout } = await orbifold(env, "health");
  t.equal(code, 0);
  t.match(stdout, /^CHECK +STATUS\ndatabase +ok\n/);
  const shown = await orbifold(env, "health", "--json");
  t.match(JSON.parse(shown.stdout), { status: "ready", checks: { pool: { status: "ok" } } });
  server.stop();
  t.same(await orbifold(env, "health"), {
    code: 1,
    stdout: "",
    stderr: "orbifold: not ready: stopping\n",
  });
});

t.test("ends with 1 where nothing or something else answers", async (t) => {
  const other = createServer((_, response) => response.end("hello"));
  other.listen(0, "127.0.0.1");
  await once(other, "listening");
  const env = { PORT: String(portOf(other)) };
  const strange = await orbifold(env, "health");
  t.match(strange, { code: 1, stderr: /^orbifold: no answer of the service at http:\/\/127/ });
  other.close();
  await once(other, "close");
  const none = await orbifold(env, "health");
  t.match(none, { code: 1, stdout: "", stderr: /ECONNREFUSED/ });
  t.match(await orbifold(env, "health", "now"), { code: 64, stderr: /orbifold --help/ });
});
