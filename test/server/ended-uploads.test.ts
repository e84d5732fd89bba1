/** Uploads that end early leave no requests behind. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import t, { type Test } from "tap";
import { openObjectStore } from "../../server/object-store/index.ts";
import { objectStoreUrl } from "../../server/object-store/location.ts";
import { until } from "../helpers/jobs.ts";
import { portOf } from "../helpers/port-of.ts";

const MIB = 2 ** 20;

const UPLOAD =
  "<InitiateMultipartUploadResult><UploadId>one</UploadId></InitiateMultipartUploadResult>";

/** A server that answers nothing but the start of an upload in parts. It notes what it gets. */
async function silentServer(t: Test) {
  const requests: string[] = [];
  let unanswered = 0;
  const server = createServer((request, response) => {
    const { method, url = "", socket } = request;
    request.resume();
    requests.push(`${method} ${url.replace(/^[^?]*\??/, "").replace(/&?x-id=\w+/, "")}`);
    if (method === "POST") return void response.end(UPLOAD);
    unanswered++;
    socket.once("close", () => unanswered--);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  const host = `127.0.0.1:${portOf(server)}`;
  /** Resolves once so many requests wait: the server sees the end of a connection after what was sent before. */
  const untilWaiting = (count: number) => until(() => unanswered === count);
  return { url: `s3://key:secret@${host}/bucket?tls=false`, requests, untilWaiting };
}

t.test("an upload whose signal aborts ends its requests", async (t) => {
  const server = await silentServer(t);
  const store = openObjectStore(objectStoreUrl(server.url));
  const aborted = async (bytes: number, sent: number) => {
    const stop = new AbortController();
    const putting = store.put("a", Buffer.alloc(bytes), stop.signal);
    putting.catch(() => undefined);
    await until(() => server.requests.length === sent);
    stop.abort(new Error("no longer wanted"));
    await t.rejects(putting, { message: "no longer wanted" });
  };
  await aborted(100, 1);
  await server.untilWaiting(0);
  await aborted(20 * MIB, 5);
  t.same(server.requests.slice(0, 2), ["PUT ", "POST uploads="], "it is not sent again");
  await until(() => server.requests.length === 6);
  await server.untilWaiting(1);
  t.equal(server.requests.at(-1), "DELETE uploadId=one", "the parts are deleted");
  store[Symbol.dispose]();
  await server.untilWaiting(0);
  t.equal(server.requests.length, 6);
});

t.test("a process ends although the store does not answer", async (t) => {
  const server = await silentServer(t);
  const program = `
    import { openObjectStore } from "./server/object-store/index.ts";
    import { objectStoreUrl } from "./server/object-store/location.ts";
    const store = openObjectStore(objectStoreUrl(process.argv[1]));
    const all = [1, 20 * 2 ** 20].map((bytes) => store.put("a", Buffer.alloc(bytes)));
    process.stdin.once("data", () => {
      store[Symbol.dispose]();
      process.stdin.destroy();
    });
    for (const { reason } of await Promise.allSettled(all)) console.log(reason.name);`;
  const args = ["--input-type=module-typescript", "--eval", program, server.url];
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  t.teardown(() => child.kill("SIGKILL"));
  const printed = text(child.stdout);
  await until(() => server.requests.length === 5);
  child.stdin.write("dispose");
  const [code] = await once(child, "close");
  t.equal(code, 0);
  t.equal(await printed, "ObjectStoreUnavailable\n".repeat(2));
  t.equal(server.requests.length, 5, "nothing is sent again");
});
