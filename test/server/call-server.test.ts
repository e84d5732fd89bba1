/** The port of a render node refuses what is no call of another node. */
import { request as startRequest } from "node:http";
import t from "tap";
import { type Engine, LIMITS } from "../../engine/index.ts";
import { renderSecret } from "../../server/render-nodes/index.ts";
import { BUILD_HEADER, buildOf, callBody } from "../../server/render-nodes/protocol.ts";
import { testDatabase } from "../helpers/database.ts";
import { processEngine } from "../helpers/engine.ts";
import { renderNode } from "../helpers/render-nodes.ts";

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
