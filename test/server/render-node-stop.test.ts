/** What becomes of calls whose render node is stopped before they are done. */
import { setTimeout as delay } from "node:timers/promises";
import t, { type Test } from "tap";
import type { Job } from "../../db/index.ts";
import { type Engine, Overloaded } from "../../engine/index.ts";
import { makeExport } from "../../server/actions/make-export.ts";
import { createSourceCache } from "../../server/actions/source-cache.ts";
import { processEngine } from "../helpers/engine.ts";
import { orderExport } from "../helpers/exports.ts";
import { until } from "../helpers/jobs.ts";
import { callServer, listedServer, remoteEngine } from "../helpers/render-nodes.ts";
import { testServer } from "../helpers/server.ts";

/** Share of the rows that a print below has finished. */
const FINISHED = 0.5;

/** Serves an engine as a render node that the test can stop and kill. */
async function dyingNode(
  t: Test,
  db: Parameters<typeof callServer>[0],
  engine: Engine,
  isStopping: boolean,
) {
  const serve = await callServer(db, engine, { isStopping: () => isStopping });
  const { server, leave } = await listedServer(t, db, engine, serve);
  return async () => {
    await leave();
    server.closeAllConnections();
    server.close();
  };
}

t.test("an export counts the loss of a node as a fault, unless it was stopped", async (t) => {
  const engine = await processEngine();
  const server = await testServer(t);
  const { db } = server;
  const json = { width_mm: 30, height_mm: 20, dpi: 100, format: "png" };
  const export_id = await orderExport(server, await server.makePattern(), json);
  const sources = createSourceCache(db.sources, 2 ** 20);
  /** Runs the export at a node that dies in the middle; returns how often it has failed by then. */
  const failuresAfter = async (isStopping: boolean) => {
    const never: Engine = {
      ...engine,
      async print(...given) {
        const { body: _, ...printing } = await engine.print(...given);
        const endless = async function* () {
          for (;;) yield await delay(50, new Uint8Array(1));
        };
        return { ...printing, body: endless(), progress: () => FINISHED };
      },
    };
    const die = await dyingNode(t, db, never, isStopping);
    const { remote } = await remoteEngine(t, db, engine);
    const job = { data: { export_id }, signal: new AbortController().signal };
    const making = makeExport({ db, engine: remote, sources }, job as Job<"make_export">);
    // That has come with whether the node stops.
    const isShown = async () =>
      ((await db.exports.get(server.account.id, export_id))?.progress ?? 0) > 0;
    await Promise.race([until(isShown), making]);
    await die();
    await t.rejects(making, isStopping ? Overloaded : { name: "NodeLost" });
    return (await db.exports.begin(export_id))?.failures;
  };
  t.equal(await failuresAfter(true), 0);
  // The run that was begun to look counts as well.
  t.equal(await failuresAfter(false), 2);
});
