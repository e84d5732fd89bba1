import t, { type Test } from "tap";
import { nameServer } from "./name-server.ts";
import { echo, fetchText, httpServer, unreachable } from "./test-servers.ts";

/** Redirects `/3` to `/2` and so on, and returns a body for `/0`. */
const countdown = (t: Test, status = 302) =>
  httpServer(t, ({ url = "" }, response) => {
    const left = Number(url.slice(1));
    if (left === 0) response.end("arrived");
    else response.writeHead(status, { Location: `/${left - 1}` }).end("a body to be left unread");
  });

/** Redirects every request to one URL. */
const signpost = (t: Test, location: string) =>
  httpServer(t, (_, response) => {
    response.writeHead(302, { Location: location }).end();
  });

t.test("follows up to five redirects", async (t) => {
  const { url } = await countdown(t);
  for (let redirects = 0; redirects <= 5; redirects++) {
    t.equal(await fetchText(`${url}/${redirects}`), "arrived", `${redirects}`);
  }
  await t.rejects(fetchText(`${url}/6`), unreachable(/redirected more than 5 times$/));
});

t.test("follows every redirect status", async (t) => {
  for (const status of [301, 302, 303, 307, 308]) {
    const { url } = await countdown(t, status);
    t.equal(await fetchText(`${url}/1`), "arrived", `${status}`);
  }
});

t.test("ends a redirect loop", async (t) => {
  const server = await signpost(t, "/");
  await t.rejects(fetchText(server.url), unreachable(/more than 5 times$/));
  t.equal(server.connections(), 6);
});

t.test("treats a redirect without Location as a response", async (t) => {
  const { url } = await httpServer(t, (_, response) => {
    response.writeHead(302).end("no place named");
  });
  await t.rejects(fetchText(url), unreachable(/ answered 302$/));
  const other = await httpServer(t, (_, response) => {
    response.writeHead(304, { Location: "/" }).end();
  });
  await t.rejects(fetchText(other.url), unreachable(/ answered 304$/));
});

t.test("does not follow redirects to private addresses, in any spelling", async (t) => {
  const inside = await httpServer(t, echo().listener, { host: "127.0.0.2" });
  for (const host of ["127.0.0.2", "0x7f.2", "2130706434", "[::ffff:127.0.0.2]", "localhost"]) {
    const { url } = await signpost(t, `http://${host}:${inside.port}/`);
    const resolve = async () => [{ address: "127.0.0.2", family: 4 }];
    await t.rejects(fetchText(url, { resolve }), unreachable(/leads to no public address$/), host);
  }
  t.equal(inside.connections(), 0);
});

t.test("does not follow redirects to another scheme", async (t) => {
  for (const target of ["file:///etc/passwd", "data:image/png;base64,AA", "ftp://127.0.0.1/a"]) {
    const { url } = await signpost(t, target);
    const message = /redirected, but not to an http:\/\/ or https:\/\/ address$/;
    await t.rejects(fetchText(url), unreachable(message), target);
  }
});

t.test("does not follow redirects with a password", async (t) => {
  const { url } = await signpost(t, "http://user:secret@127.0.0.1/");
  await t.rejects(fetchText(url), unreachable(/^(?!.*secret).*without a user name and password$/));
});

t.test("follows a Location in UTF-8", async (t) => {
  const { url } = await httpServer(t, (request, response) => {
    if (request.url !== "/") return void response.end(request.url);
    const location = Buffer.from("/kätzchen.png").toString("latin1");
    return void response.writeHead(302, { Location: location }).end();
  });
  t.equal(await fetchText(url), "/k%C3%A4tzchen.png");
});

t.test("sends no cookies, referrer or credentials", async (t) => {
  const { resolve } = await nameServer(t, { "a.test": ["127.0.0.1"], "b.test": ["127.0.0.1"] });
  const { seen, listener } = echo();
  const server = await httpServer(t, (request, response) => {
    if (request.url === "/end") return listener(request, response);
    seen.push(request.headers);
    const Location = request.url === "/" ? `http://b.test:${server.port}/next` : "/end";
    return void response.writeHead(302, { Location, "Set-Cookie": "a=b; Path=/" }).end();
  });
  await fetchText(`http://a.test:${server.port}/`, { resolve });
  const common = {
    "user-agent": seen[0]?.["user-agent"],
    accept: "image/*, */*;q=0.5",
    "accept-encoding": "identity",
    connection: "close",
  };
  t.match(common["user-agent"], /^orbifold\/\d+\.\d+\.\d+$/);
  const [a, b] = [`a.test:${server.port}`, `b.test:${server.port}`];
  t.strictSame(
    seen.map((headers) => ({ ...headers })),
    [a, b, b].map((host) => ({ ...common, host })),
  );
});

t.test("a host list excludes other hosts, also in redirects", async (t) => {
  const { resolve } = await nameServer(t, {
    "cats.test": ["127.0.0.1"],
    "big.cats.test": ["127.0.0.1"],
    "bobcats.test": ["127.0.0.1"],
    "dogs.test": ["127.0.0.1"],
  });
  const { port, connections } = await httpServer(t, ({ url = "/", headers }, response) => {
    const { searchParams } = new URL(url, "http://x");
    const to = searchParams.get("to");
    if (to) response.writeHead(302, { Location: `http://${to}:${port}/` }).end();
    else response.end(headers.host);
  });
  const ask = (host: string, allowedHosts: string[]) =>
    fetchText(`http://${host.replace("/", `:${port}/`)}`, { resolve, allowedHosts });
  const refused = unreachable(/is not among the allowed hosts$/);

  t.match(await ask("cats.test/", ["dogs.test", "cats.test"]), "cats.test");
  t.match(await ask("CATS.test./", ["cats.test"]), "cats.test");
  t.match(await ask("big.cats.test/", ["*.cats.test"]), "big.cats.test");
  t.match(await ask("cats.test/?to=dogs.test", ["dogs.test", "cats.test"]), "dogs.test");
  const before = connections();
  await t.rejects(ask("cats.test/", ["*.cats.test"]), refused);
  await t.rejects(ask("bobcats.test/", ["cats.test", "*.cats.test"]), refused);
  await t.rejects(ask("big.cats.test/", ["cats.test"]), refused);
  await t.rejects(ask("127.0.0.1/", ["cats.test"]), refused);
  t.equal(connections(), before);
  await t.rejects(ask("cats.test/?to=dogs.test", ["cats.test"]), refused);
  t.equal(connections(), before + 1);
});
