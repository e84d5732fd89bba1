/** Names are looked up once, and sockets see only the permitted addresses. */
import { getDefaultAutoSelectFamily, setDefaultAutoSelectFamily } from "node:net";
import t from "tap";
import { nameServer } from "./name-server.ts";
import { echo, fetchText, httpServer, unreachable } from "./test-servers.ts";

t.test("resolves a name", async (t) => {
  const { resolve, asked } = await nameServer(t, { "cats.test": ["127.0.0.1"] });
  const { port } = await httpServer(t, echo().listener);
  const text = await fetchText(`http://cats.test:${port}/a?b=c`, { resolve });
  t.equal(text, `at cats.test:${port} /a?b=c`);
  t.same(asked, ["cats.test"]);
});

t.test("uses the system's resolver by default", async (t) => {
  const { port } = await httpServer(t, echo().listener);
  t.equal(await fetchText(`http://localhost:${port}/`), `at localhost:${port} /`);
});

t.test("a name with a private address is reported like a missing one", async (t) => {
  const { resolve } = await nameServer(t, {
    "private.test": ["10.0.0.1"],
    "metadata.test": ["169.254.169.254"],
    "loopback.test": ["127.0.0.1"],
    "many.test": ["192.168.1.1", "fd00::1", "::ffff:127.0.0.1", "172.16.0.1"],
  });
  const server = await httpServer(t, echo().listener);
  for (const name of ["private", "metadata", "loopback", "many", "absent"]) {
    const host = `${name}.test:${server.port}`;
    const message = `${host} leads to no public address`;
    await t.rejects(fetchText(`http://${host}/`, { resolve, allow: [] }), unreachable(message));
  }
  t.equal(server.connections(), 0);
});

t.test("connects only to permitted addresses of a name", async (t) => {
  const { resolve, set } = await nameServer(t, {});
  const permitted = await httpServer(t, echo().listener);
  const forbidden = await httpServer(t, echo().listener, {
    host: "127.0.0.2",
    port: permitted.port,
  });
  for (const addresses of [
    ["127.0.0.2", "127.0.0.1"],
    ["127.0.0.1", "127.0.0.2"],
    ["::1", "127.0.0.2", "127.0.0.1", "10.0.0.1"],
  ]) {
    set("mixed.test", addresses);
    t.match(await fetchText(`http://mixed.test:${permitted.port}/`, { resolve }), /^at mixed/);
  }
  t.equal(permitted.connections(), 3);
  t.equal(forbidden.connections(), 0);
});

t.test("tries the next permitted address if one refuses", async (t) => {
  const { resolve } = await nameServer(t, { "two.test": ["127.0.0.3", "127.0.0.1"] });
  const { port } = await httpServer(t, echo().listener);
  const allow = ["127.0.0.0/8"];
  t.match(await fetchText(`http://two.test:${port}/`, { resolve, allow }), /^at two/);
});

t.test("ignores the process's option to try one address only", async (t) => {
  const before = getDefaultAutoSelectFamily();
  setDefaultAutoSelectFamily(false);
  t.teardown(() => setDefaultAutoSelectFamily(before));
  const { resolve } = await nameServer(t, { "cats.test": ["10.0.0.1", "127.0.0.1"] });
  const { port } = await httpServer(t, echo().listener);
  t.match(await fetchText(`http://cats.test:${port}/`, { resolve }), /^at cats/);
});

t.test("DNS rebinding has no effect", async (t) => {
  const { resolve, asked, set } = await nameServer(t, { "rebind.test": ["127.0.0.1"] });
  const first = await httpServer(t, echo().listener);
  const second = await httpServer(t, echo().listener, { host: "127.0.0.2", port: first.port });
  const rebinding: typeof resolve = async (hostname) => {
    const addresses = await resolve(hostname);
    set("rebind.test", ["127.0.0.2"]);
    return addresses;
  };
  const target = `http://rebind.test:${first.port}/`;
  t.match(await fetchText(target, { resolve: rebinding }), /^at rebind/);
  t.same(asked, ["rebind.test"], "the name is looked up once");
  await t.rejects(fetchText(target, { resolve }), unreachable(/no public address/));
  t.equal(second.connections(), 0);
});

t.test("resolves and checks each redirect again, even to the same name", async (t) => {
  const { resolve, asked, set } = await nameServer(t, { "rebind.test": ["127.0.0.1"] });
  const first = await httpServer(t, (_, response) => {
    set("rebind.test", ["127.0.0.2"]);
    response.writeHead(302, { Location: "/again" }).end();
  });
  const second = await httpServer(t, echo().listener, { host: "127.0.0.2", port: first.port });
  const target = `http://rebind.test:${first.port}/`;
  await t.rejects(fetchText(target, { resolve }), unreachable(/no public address/));
  t.same(asked, ["rebind.test", "rebind.test"]);
  t.equal(second.connections(), 0);
});

t.test("reports a failing name server", async (t) => {
  const { resolve } = await nameServer(t, { "failing.test": "failure" });
  const failing = fetchText("http://failing.test/", { resolve });
  await t.rejects(failing, unreachable("failing.test could not be resolved"));
});

t.test("a silent name server counts towards the time limit, and can be aborted", async (t) => {
  const { resolve, asked } = await nameServer(t, { "silent.test": "silence" });
  const slow = fetchText("http://silent.test/", { resolve, totalMs: 100 });
  await t.rejects(slow, unreachable("no complete response came within 0.1 seconds"));
  const caller = new AbortController();
  const left = fetchText("http://silent.test/", { resolve, signal: caller.signal });
  while (asked.length < 2) await new Promise(setImmediate);
  caller.abort();
  await t.rejects(left, { name: "AbortError" });
});
