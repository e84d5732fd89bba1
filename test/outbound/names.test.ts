/** Names are looked up once, and sockets see only the permitted addresses. */
import { getDefaultAutoSelectFamily, setDefaultAutoSelectFamily } from "node:net";
import t from "tap";
import { nameServer } from "./name-server.ts";
import { echo, fetchText, outside, unreachable } from "./outside.ts";

t.test("a name leads to its address", async (t) => {
  const { resolve, asked } = await nameServer(t, { "cats.test": ["127.0.0.1"] });
  const { port } = await outside(t, echo().listener);
  const text = await fetchText(`http://cats.test:${port}/a?b=c`, { resolve });
  t.equal(text, `at cats.test:${port} /a?b=c`);
  t.same(asked, ["cats.test"]);
});

t.test("unless told otherwise, the system is asked for names", async (t) => {
  const { port } = await outside(t, echo().listener);
  t.equal(await fetchText(`http://localhost:${port}/`), `at localhost:${port} /`);
});

t.test("a name that leads inside is told like one that does not exist", async (t) => {
  const { resolve } = await nameServer(t, {
    "private.test": ["10.0.0.1"],
    "metadata.test": ["169.254.169.254"],
    "loopback.test": ["127.0.0.1"],
    "many.test": ["192.168.1.1", "fd00::1", "::ffff:127.0.0.1", "172.16.0.1"],
  });
  const server = await outside(t, echo().listener);
  for (const name of ["private", "metadata", "loopback", "many", "absent"]) {
    const host = `${name}.test:${server.port}`;
    const message = `${host} leads to no public address`;
    await t.rejects(fetchText(`http://${host}/`, { resolve, allow: [] }), unreachable(message));
  }
  t.equal(server.connections(), 0);
});

t.test("of a name's addresses only the permitted ones are tried", async (t) => {
  const { resolve, set } = await nameServer(t, {});
  const permitted = await outside(t, echo().listener);
  const forbidden = await outside(t, echo().listener, { host: "127.0.0.2", port: permitted.port });
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

t.test("the next permitted address is tried where the first one refuses", async (t) => {
  const { resolve } = await nameServer(t, { "two.test": ["127.0.0.3", "127.0.0.1"] });
  const { port } = await outside(t, echo().listener);
  const allow = ["127.0.0.0/8"];
  t.match(await fetchText(`http://two.test:${port}/`, { resolve, allow }), /^at two/);
});

t.test(
  "a switch of the process that has sockets try one address only changes nothing",
  async (t) => {
    const before = getDefaultAutoSelectFamily();
    setDefaultAutoSelectFamily(false);
    t.teardown(() => setDefaultAutoSelectFamily(before));
    const { resolve } = await nameServer(t, { "cats.test": ["10.0.0.1", "127.0.0.1"] });
    const { port } = await outside(t, echo().listener);
    t.match(await fetchText(`http://cats.test:${port}/`, { resolve }), /^at cats/);
  },
);

t.test("a name that changes its address between two looks gains nothing", async (t) => {
  const { resolve, asked, set } = await nameServer(t, { "rebind.test": ["127.0.0.1"] });
  const first = await outside(t, echo().listener);
  const second = await outside(t, echo().listener, { host: "127.0.0.2", port: first.port });
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

t.test("each redirect is looked up and checked anew, to the same name, too", async (t) => {
  const { resolve, asked, set } = await nameServer(t, { "rebind.test": ["127.0.0.1"] });
  const first = await outside(t, (_, response) => {
    set("rebind.test", ["127.0.0.2"]);
    response.writeHead(302, { Location: "/again" }).end();
  });
  const second = await outside(t, echo().listener, { host: "127.0.0.2", port: first.port });
  const target = `http://rebind.test:${first.port}/`;
  await t.rejects(fetchText(target, { resolve }), unreachable(/no public address/));
  t.same(asked, ["rebind.test", "rebind.test"]);
  t.equal(second.connections(), 0);
});

t.test("a name server that fails is told", async (t) => {
  const { resolve } = await nameServer(t, { "failing.test": "failure" });
  const failing = fetchText("http://failing.test/", { resolve });
  await t.rejects(failing, unreachable("failing.test could not be resolved"));
});

t.test(
  "a name server that says nothing takes part of the time, and a caller can leave",
  async (t) => {
    const { resolve, asked } = await nameServer(t, { "silent.test": "silence" });
    const slow = fetchText("http://silent.test/", { resolve, totalMs: 100 });
    await t.rejects(slow, unreachable("no complete answer came within 0.1 seconds"));
    const caller = new AbortController();
    const left = fetchText("http://silent.test/", { resolve, signal: caller.signal });
    while (asked.length < 2) await new Promise(setImmediate);
    caller.abort();
    await t.rejects(left, { name: "AbortError" });
  },
);
