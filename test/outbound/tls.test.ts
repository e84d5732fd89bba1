/** An https server must prove to have the requested name. */
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import t, { type Test } from "tap";
import { PEM } from "./certificate.ts";
import { nameServer } from "./name-server.ts";
import { echo, fetchText, httpServer, rawServer, tlsServer, unreachable } from "./test-servers.ts";

/** Makes this process trust the certificate until the test ends. */
function trustIt(t: Test): void {
  const others = getCACertificates("default");
  setDefaultCACertificates([...others, PEM.slice(PEM.indexOf("-----BEGIN CERTIFICATE"))]);
  t.teardown(() => setDefaultCACertificates(others));
}

const zone = { "cats.test": ["127.0.0.1"], "dogs.test": ["127.0.0.1"] };

t.test("rejects an untrusted certificate", async (t) => {
  const { resolve } = await nameServer(t, zone);
  const { seen, listener } = echo();
  const { port } = await tlsServer(t, PEM, listener);
  const refused = unreachable(`cats.test:${port} has no valid TLS certificate`);
  await t.rejects(fetchText(`https://cats.test:${port}/`, { resolve }), refused);
  const { NODE_TLS_REJECT_UNAUTHORIZED: before = "1" } = process.env;
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
  t.teardown(() => {
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = before;
  });
  await t.rejects(fetchText(`https://cats.test:${port}/`, { resolve }), refused);
  t.same(seen, [], "and was asked for nothing");
});

t.test("rejects a certificate of another name", async (t) => {
  trustIt(t);
  const { resolve } = await nameServer(t, zone);
  const { port } = await tlsServer(t, PEM, echo().listener);
  t.match(await fetchText(`https://cats.test:${port}/`, { resolve }), /^at cats\.test/);
  t.match(await fetchText(`https://cats.test.:${port}/`, { resolve }), /^at cats\.test/);
  for (const host of ["dogs.test", "127.0.0.1"]) {
    const refused = unreachable(`${host}:${port} has no valid TLS certificate`);
    await t.rejects(fetchText(`https://${host}:${port}/`, { resolve }), refused);
  }
});

t.test("follows redirects from http to https, but not back", async (t) => {
  trustIt(t);
  const { resolve } = await nameServer(t, zone);
  const plain = await httpServer(t, (request, response) => {
    const Location = `https://cats.test:${secure.port}${request.url}`;
    response.writeHead(302, { Location }).end();
  });
  const secure = await tlsServer(t, PEM, ({ url }, response) => {
    if (url === "/stay") response.end("stayed");
    else response.writeHead(302, { Location: plain.url }).end();
  });
  t.equal(await fetchText(`${plain.url}/stay`, { resolve }), "stayed");
  const back = fetchText(`${plain.url}/back`, { resolve });
  await t.rejects(back, unreachable(`cats.test:${secure.port} redirected from https to http`));
});

t.test("reports a server without TLS", async (t) => {
  const { port } = await rawServer(t, (socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
  const message = `127.0.0.1:${port} failed in the TLS handshake`;
  await t.rejects(fetchText(`https://127.0.0.1:${port}/`), unreachable(message));
  const closing = await rawServer(t, (socket) => socket.end());
  const closed = fetchText(`https://127.0.0.1:${closing.port}/`);
  await t.rejects(closed, unreachable(/closed the connection$/));
});
