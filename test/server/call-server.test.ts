/** The port of a render node refuses what is no call of another node. */
import { request as startRequest } from "node:http";
import t from "tap";
import { type Engine, LIMITS, Overloaded } from "../../engine/index.ts";
import { InFlight } from "../../server/actions/in-flight.ts";
import { renderSecret } from "../../server/render-nodes/index.ts";
import { BUILD_HEADER, buildOf, callBody } from "../../server/render-nodes/protocol.ts";
import { testDatabase } from "../helpers/database.ts";
import { bytesOf, processEngine, request } from "../helpers/engine.ts";
import { until } from "../helpers/jobs.ts";
import { callServer, listedNode, remoteEngine, renderNode } from "../helpers/render-nodes.ts";

/** Sends a request to a render node as another program would. */
function ask(
  url: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: readonly Uint8Array[] = [],
): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = startRequest(`${url}${path}`, { method, headers });
    asked.on("response", (response) => {
      resolve(response.statusCode ?? 0);
      response.destroy();
    });
    asked.on("error", reject);
    for (const piece of body) asked.write(piece);
    asked.end();
  });
}

t.test("refuses calls before it reads them, and runs nothing", async (t) => {
  const engine = await processEngine();
  const db = await testDatabase(t);
  let runs = 0;
  const counted = {
    ...engine,
    async drawPreset(...given: Parameters<Engine["drawPreset"]>) {
      runs++;
      return engine.drawPreset(...given);
    },
  };
  const { url } = await renderNode(t, db, counted);
  const Authorization = `Bearer ${await renderSecret(db)}`;
  const head = { name: "drawPreset", args: ["floral", 7, 32, null], owner: null } as const;
  const body = callBody(head, []);
  const whole = Buffer.concat(body);
  const right = { Authorization, [BUILD_HEADER]: buildOf(engine.version) };
  const sized = { ...right, "Content-Length": String(whole.byteLength) };
  const other = `Bearer ${"A".repeat(Authorization.length - 7)}`;
  const call = (headers: Readonly<Record<string, string>>, sent: readonly Uint8Array[] = body) =>
    ask(url, "POST", "/calls", headers, sent);

  t.equal(await call({ ...sized, Authorization: other }), 401, "another secret");
  t.equal(await call({ ...sized, Authorization: `${Authorization}A` }), 401, "a longer one");
  t.equal(await call({ ...sized, Authorization: "" }), 401, "none");
  // Nothing of its body is awaited.
  t.equal(await call({ "Content-Length": "1000" }, []), 401, "none, without a body");
  t.equal(await call({ ...sized, [BUILD_HEADER]: buildOf("1-webasm") }), 409, "of another engine");
  t.equal(await call({ ...right, "Content-Length": String(2 ** 27) }, []), 413);
  t.equal(await call(right), 411);
  const unknown = callBody({ ...head, name: "close" as "render" }, []);
  const length = String(Buffer.concat(unknown).byteLength);
  t.equal(await call({ ...sized, "Content-Length": length }, unknown), 400, "no call");
  const cut = Buffer.concat([whole, whole]);
  t.equal(await call({ ...right, "Content-Length": String(cut.byteLength) }, [cut]), 400);
  const sha256 = "0".repeat(64);
  const put = (bytes: number, sent: readonly Uint8Array[]) =>
    ask(url, "PUT", `/sources/${sha256}`, { ...right, "Content-Length": String(bytes) }, sent);
  t.equal(await put(LIMITS.source.bytes + 1, []), 413, "a source that is too large");
  t.equal(await put(3, [Buffer.from("abc")]), 422, "a source with another hash");
  t.equal(await ask(url, "GET", "/", right), 404);
  t.equal(runs, 0);
  t.equal(await call(sized), 200);
  t.equal(runs, 1);
});

t.test("refuses more bytes than all bodies of the process may have", async (t) => {
  const engine = await processEngine();
  const db = await testDatabase(t);
  const inFlight = new InFlight("bytes", 1000);
  const { url } = await listedNode(t, db, engine, await callServer(db, engine, { inFlight }));
  const Authorization = `Bearer ${await renderSecret(db)}`;
  const headers = { Authorization, [BUILD_HEADER]: buildOf(engine.version) };
  // As the body of an upload.
  const release = inFlight.take([], 990);
  t.equal(await ask(url, "POST", "/calls", { ...headers, "Content-Length": "11" }), 503);
  release();
});

t.test("a caller that takes nothing of its picture is cancelled", async (t) => {
  const engine = await processEngine();
  const db = await testDatabase(t);
  const { body, ...header } = await engine.renderStream(request({ render: { size: 16 } }));
  await Array.fromAsync(body);
  const pieces = 1024;
  let drawn = 0;
  let isCancelled = false;
  const drawing: Engine = {
    ...engine,
    async renderStream(_, signal) {
      signal?.addEventListener("abort", () => {
        isCancelled = true;
      });
      const draw = async function* () {
        for (; drawn < pieces; drawn++) yield new Uint8Array(65_536);
      };
      return { ...header, body: draw() };
    },
  };
  await listedNode(t, db, engine, await callServer(db, drawing, { stallMs: 300 }));
  const { remote } = await remoteEngine(t, db, engine);
  const unread = await remote.renderStream(request({ render: { size: 16 } }));
  await until(() => isCancelled);
  t.ok(drawn < pieces, `${drawn} of ${pieces} pieces were drawn`);
  await t.rejects(bytesOf(unread), { name: "NodeLost" });
});

t.test("a full node says so before it gets the source", async (t) => {
  const engine = await processEngine();
  const db = await testDatabase(t);
  const full: Engine = {
    ...engine,
    reserveSlot() {
      throw new Overloaded(9);
    },
  };
  const serve = await callServer(db, full);
  const methods: (string | undefined)[] = [];
  await listedNode(t, db, engine, (asked, response) => {
    methods.push(asked.method);
    serve(asked, response);
  });
  const { remote } = await remoteEngine(t, db, engine);
  await t.rejects(remote.render(request({})), new Overloaded(9));
  t.same(methods, ["POST"]);
});

t.test("faults of a node are reported there, and are none of its callers'", async (t) => {
  const engine = await processEngine();
  const db = await testDatabase(t);
  const full = Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
  const other = Object.assign(new Error("input/output error"), { code: "EIO" });
  const thrown: Error[] = [full, other, new Overloaded(1)];
  const faults: unknown[] = [];
  const failing: Engine = { ...engine, packedMap: () => Promise.reject(thrown.shift()) };
  const serve = await callServer(db, failing, { onFault: (error) => faults.push(error) });
  await listedNode(t, db, engine, serve);
  const { remote } = await remoteEngine(t, db, engine);
  await t.rejects(remote.packedMap("mug", 400), Overloaded, "another node may have room");
  const received = await remote.packedMap("mug", 400).catch((error) => error);
  t.equal(received.message, other.message);
  t.same({ ...received }, {});
  await t.rejects(remote.packedMap("mug", 400), new Overloaded(1));
  t.same(faults, [full, other]);
});
