/** What becomes of calls whose render node is stopped before they are done. */
import type { RequestListener } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import t, { type Test } from "tap";
import type { Job } from "../../db/index.ts";
import { type Engine, Overloaded } from "../../engine/index.ts";
import { makeExport } from "../../server/actions/make-export.ts";
import { createSourceCache } from "../../server/actions/source-cache.ts";
import { messageRecord } from "../../server/render-nodes/protocol.ts";
import { testDatabase } from "../helpers/database.ts";
import { processEngine } from "../helpers/engine.ts";
import { orderExport } from "../helpers/exports.ts";
import { until } from "../helpers/jobs.ts";
import {
  callServer,
  listedNode,
  listedServer,
  remoteEngine,
  renderNode,
} from "../helpers/render-nodes.ts";
import { testServer } from "../helpers/server.ts";

/** Serves an engine as a render node that the test can stop and kill. */
async function dyingNode(
  t: Test,
  db: Parameters<typeof callServer>[0],
  engine: Engine,
  isStopping: () => boolean,
) {
  const serve = await callServer(db, engine, { isStopping });
  const { server, leave } = await listedServer(t, db, engine, serve);
  return async () => {
    await leave();
    server.closeAllConnections();
    server.close();
  };
}

t.test("nodes that stop are not counted among those that a call may end", async (t) => {
  const engine = await processEngine();
  const db = await testDatabase(t);
  let lost = 0;
  const lose: RequestListener = async (asked, response) => {
    asked.resume();
    response.writeHead(200);
    const message = { kind: "alive", progress: null, isStopping: true } as const;
    for (const piece of messageRecord(message)) response.write(piece);
    await delay(20);
    lost++;
    response.destroy();
  };
  // More than may be lost otherwise.
  for (const _ of [1, 2, 3, 4, 5]) await listedNode(t, db, engine, lose);
  const { remote, list } = await remoteEngine(t, db, engine);
  const drawing = remote.drawPreset("polka", 1, 16);
  await until(() => lost === 5);
  await renderNode(t, db, engine);
  const drawn = Buffer.from(await drawing);
  t.same(drawn, Buffer.from(await engine.drawPreset("polka", 1, 16)));
  t.equal(list.nodes.filter(({ state }) => state === "stopping").length, 5);
});

t.test("a node that stops says so, and gets no further calls", async (t) => {
  const engine = await processEngine();
  const db = await testDatabase(t);
  let isStopping = false;
  const serve = await callServer(db, engine, { isStopping: () => isStopping });
  await listedServer(t, db, { ...engine, threads: 9 }, serve);
  const { remote, list } = await remoteEngine(t, db, engine);
  await remote.drawPreset("polka", 1, 16);
  isStopping = true;
  await until(() => list.nodes[0]?.state === "stopping");
  let taken = 0;
  await renderNode(t, db, {
    ...engine,
    drawPreset: (...given) => {
      taken++;
      return engine.drawPreset(...given);
    },
  });
  for (const seed of [1, 2, 3]) await remote.drawPreset("polka", seed, 16);
  t.equal(taken, 3);
});

t.test("an export counts the loss of a node as a fault, unless it was stopped", async (t) => {
  const engine = await processEngine();
  const server = await testServer(t);
  const { db } = server;
  const json = { width_mm: 30, height_mm: 20, dpi: 100, format: "png" };
  const export_id = await orderExport(server, await server.makePattern(), json);
  const sources = createSourceCache(db.sources, 2 ** 20);
  /** Runs the export at a node that dies in the middle; returns how often it has failed by then. */
  const failuresAfter = async (isStopping: boolean) => {
    let isPrinting = false;
    const never: Engine = {
      ...engine,
      async print(...given) {
        isPrinting = true;
        const { body: _, ...printing } = await engine.print(...given);
        const endless = async function* () {
          for (;;) yield await delay(50, new Uint8Array(1));
        };
        return { ...printing, body: endless(), progress: () => 0.5 };
      },
    };
    // Before, it would get no call.
    const die = await dyingNode(t, db, never, () => isStopping && isPrinting);
    const { remote } = await remoteEngine(t, db, engine);
    const job = { data: { export_id }, signal: new AbortController().signal };
    const making = makeExport({ db, engine: remote, sources }, job as Job<"make_export">);
    // That has come with whether the node stops.
    const isShown = async () =>
      isPrinting && ((await db.exports.get(server.account.id, export_id))?.progress ?? 0) > 0;
    await Promise.race([until(isShown), making]);
    await die();
    await t.rejects(making, isStopping ? Overloaded : { name: "NodeLost" });
    return (await db.exports.begin(export_id))?.failures;
  };
  t.equal(await failuresAfter(true), 0);
  // The run that was begun to look counts as well.
  t.equal(await failuresAfter(false), 2);
});
