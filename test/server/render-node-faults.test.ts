/** Calls survive what may happen to render nodes. */
import t, { type Test } from "tap";
import type { Database } from "../../db/index.ts";
import { type Engine, Overloaded } from "../../engine/index.ts";
import { joinRenderNodes, watchRenderNodes } from "../../server/render-nodes/index.ts";
import { testDatabase, testDatabases } from "../helpers/database.ts";
import { processEngine } from "../helpers/engine.ts";
import { until } from "../helpers/jobs.ts";
import { testLog } from "../helpers/log.ts";
import {
  callServer,
  listedNode,
  listedServer,
  remoteEngine,
  renderNode,
} from "../helpers/render-nodes.ts";

t.test("a call goes to another node if one does not take it, or is lost with it", async (t) => {
  const engine = await processEngine();
  const db = await testDatabase(t);
  const faulty: [string, Parameters<typeof listedNode>[3]][] = [
    ["is closed", () => undefined],
    ["ends the connection", (asked) => void asked.socket.destroy()],
    [
      "is lost with the call",
      (_, response) => {
        response.writeHead(200).flushHeaders();
        setTimeout(() => response.destroy(), 20);
      },
    ],
    ["refuses", (_, response) => void response.writeHead(409).end()],
    ["is full", (_, response) => void response.writeHead(503).end()],
  ];
  for (const [fault, listener] of faulty) {
    await t.test(`one that ${fault}`, async (t) => {
      let asked = 0;
      const bad = await listedNode(t, db, { ...engine, threads: 200 }, (call, response) => {
        asked++;
        listener(call, response);
      });
      await renderNode(t, db, engine);
      const { remote } = await remoteEngine(t, db, engine);
      if (fault === "is closed") bad.server.close();
      // By their threads all but the first would go to the faulty one.
      const drawn = await Promise.all(
        [1, 2, 3, 4].map((seed) => remote.drawPreset("polka", seed, 16)),
      );
      t.equal(drawn.length, 4);
      if (fault !== "is closed") t.ok(asked > 0, "it was asked");
    });
  }
});

t.test("a call that ends every node that takes it fails after a few", async (t) => {
  const engine = await processEngine();
  const db = await testDatabase(t);
  let asked = 0;
  for (const _ of [1, 2, 3, 4]) {
    await listedNode(t, db, engine, (call, response) => {
      asked++;
      call.resume();
      response.writeHead(200).flushHeaders();
      setTimeout(() => response.destroy(), 20);
    });
  }
  const { remote } = await remoteEngine(t, db, engine);
  await t.rejects(remote.drawPreset("polka", 1, 16), { name: "NodeLost" });
  t.equal(asked, 3);
});

/** Lists nodes that accept connections and say nothing, as stopped processes do. Counts the calls that they get. */
async function silentNodes(t: Test, db: Database, engine: Engine, count: number) {
  let calls = 0;
  const silent = { ...engine, threads: 200 };
  for (let made = 0; made < count; made++) {
    await listedServer(t, db, silent, ({ method }) => {
      if (method === "POST") calls++;
    });
  }
  return () => calls;
}

/** Longer than any test. */
const NEVER_MS = 10 * 60_000;

t.test("a call is refused if no node answers, after one time for all of them", async (t) => {
  const engine = await processEngine();
  const db = await testDatabase(t);
  const calls = await silentNodes(t, db, engine, 4);
  const limits = { searchMs: 500, takeMs: NEVER_MS, askMs: 50, lateMs: 50 };
  const { remote, list } = await remoteEngine(t, db, engine, limits);
  const refused = await remote.drawPreset("polka", 1, 16).catch((error) => error);
  t.ok(refused instanceof Overloaded);
  t.match(refused.message, /^no node with the role render/);
  t.equal(calls(), 1, "not one after another");
  await t.rejects(remote.drawPreset("polka", 2, 16), Overloaded);
  t.equal(calls(), 1, "a silent node gets no further call");
  t.same(
    list.nodes.map(({ outstanding }) => outstanding),
    [0, 0, 0, 0],
  );
});

t.test("nodes that answer, but take no calls, delay a refusal by two at most", async (t) => {
  const engine = await processEngine();
  const db = await testDatabase(t);
  let calls = 0;
  for (const _ of [1, 2, 3, 4]) await listedNode(t, db, engine, () => void calls++);
  const limits = { searchMs: 300, takeMs: 300, askMs: 50, lateMs: NEVER_MS };
  const { remote } = await remoteEngine(t, db, engine, limits);
  await t.rejects(remote.drawPreset("polka", 1, 16), /^no node with the role render/);
  t.ok(calls <= 2, `${calls} were tried`);
});

t.test("among silent nodes a call finds the one that answers", async (t) => {
  const engine = await processEngine();
  const db = await testDatabase(t);
  const calls = await silentNodes(t, db, engine, 4);
  await renderNode(t, db, engine);
  const expected = Buffer.from(await engine.drawPreset("polka", 1, 16));
  const limits = { searchMs: NEVER_MS, takeMs: NEVER_MS, askMs: 50, lateMs: 50 };
  const { remote } = await remoteEngine(t, db, engine, limits);
  // By their threads, all but the first go to silent nodes before these are asked.
  const drawn = await Promise.all([1, 1, 1, 1].map((seed) => remote.drawPreset("polka", seed, 16)));
  for (const one of drawn) t.same(Buffer.from(one), expected);
  const tried = calls();
  t.ok(tried > 0);
  await remote.drawPreset("polka", 2, 16);
  t.equal(calls(), tried, "the next call does not try a silent one first");
});

t.test("a node that answers late keeps its calls, and gets further ones", async (t) => {
  const engine = await processEngine();
  const db = await testDatabase(t);
  const serve = await callServer(db, engine);
  await listedServer(t, db, engine, (asked, response) => {
    setTimeout(() => serve(asked, response), 400);
  });
  const limits = { searchMs: NEVER_MS, takeMs: NEVER_MS, askMs: 20, lateMs: 50 };
  const { remote, list } = await remoteEngine(t, db, engine, limits);
  await until(() => list.nodes[0]?.state === "silent");
  for (const seed of [1, 2]) {
    const drawn = await remote.drawPreset("polka", seed, 16);
    t.same(Buffer.from(drawn), Buffer.from(await engine.drawPreset("polka", seed, 16)));
  }
});

t.test(
  "a call that one node is too full for, and no other takes, is refused as such",
  async (t) => {
    const engine = await processEngine();
    const db = await testDatabase(t);
    // By its threads it is asked first.
    const full = { ...engine, threads: 9, drawPreset: () => Promise.reject(new Overloaded(7)) };
    await renderNode(t, db, full);
    await listedNode(t, db, engine, (asked) => void asked.socket.destroy());
    const { remote } = await remoteEngine(t, db, engine);
    const refused = await remote.drawPreset("polka", 1, 16).catch((error) => error);
    t.equal(refused.message, new Overloaded(7).message);
  },
);

t.test("without a node of the same engine a call waits for one, and is refused", async (t) => {
  const engine = await processEngine();
  const db = await testDatabase(t);
  const { version } = engine;
  await renderNode(t, db, { ...engine, version: `0${version}` });
  const { remote, list } = await remoteEngine(t, db, engine);
  t.same(list.nodes, []);
  t.equal(remote.threads, 0);
  const refused = await remote.drawPreset("polka", 1, 16).catch((error) => error);
  t.ok(refused instanceof Overloaded);
  t.match(refused.message, version);
  const waiting = remote.drawPreset("polka", 1, 16);
  await until(() => remote.progress().waiting === 1);
  const joined = await renderNode(t, db, engine);
  t.same(Buffer.from(await waiting), Buffer.from(await engine.drawPreset("polka", 1, 16)));
  await joined.leave();
  await until(() => list.nodes.length === 0);
});

t.test("a node that says nothing for long is forgotten", async (t) => {
  const { db, look } = await testDatabases(t);
  const node = { url: "http://127.0.0.1:1", engine: "14-webasm", threads: 2 };
  const [silent, other] = [
    { ...node, id: "00000000-0000-4000-8000-000000000000" },
    { ...node, id: "00000000-0000-4000-8000-000000000001" },
  ];
  await db.renderNodes.beat(silent);
  await db.renderNodes.beat(other);
  t.same(await db.renderNodes.list(), [silent, other]);
  await look(`update render_nodes set seen_at = now() - interval '11 s' where id = '${silent.id}'`);
  t.same(await db.renderNodes.list(), [other]);
  await db.renderNodes.beat(other);
  t.same(await look("select id from render_nodes"), [{ id: other.id }]);
  await db.renderNodes.leave(other.id);
  t.same(await db.renderNodes.list(), []);
});

t.test("queries that never end stop neither beats nor look-ups", async (t) => {
  const engine = await processEngine();
  const { list, ...others } = (await testDatabase(t)).renderNodes;
  let beats = 0;
  let looks = 0;
  const never = new Promise<never>(() => undefined);
  // Of each, the second one is on a connection that was cut off.
  const renderNodes = {
    ...others,
    beat: (node: Parameters<typeof others.beat>[0]) => (++beats === 2 ? never : others.beat(node)),
    list: () => (++looks === 2 ? never : list()),
  };
  const { log } = testLog();
  const known = await watchRenderNodes({ renderNodes }, engine.version, log);
  t.teardown(known.close);
  t.same(known.nodes, []);
  const facts = { url: "http://127.0.0.1:1", engine: engine.version, threads: 1 };
  const node = await joinRenderNodes({ renderNodes }, facts, log);
  await until(() => beats > 2 && known.nodes.length === 1);
  await node.leave();
});

t.test("a call that nodes refuse for what it is fails, and keeps them", async (t) => {
  const engine = await processEngine();
  const db = await testDatabase(t);
  await listedNode(t, db, engine, (_, response) => void response.writeHead(413).end());
  const { remote, list } = await remoteEngine(t, db, engine);
  await t.rejects(remote.drawPreset("polka", 1, 16), { name: "CallRefused" });
  t.equal(list.nodes[0]?.state, "ok");
});

t.test("calls go to the node with the least to do for its threads", async (t) => {
  const engine = await processEngine();
  const db = await testDatabase(t);
  const taken: Record<string, number> = { one: 0, two: 0 };
  const held: (() => void)[] = [];
  const node = (name: string, threads: number) =>
    renderNode(t, db, {
      ...engine,
      threads,
      drawPreset: () =>
        new Promise((resolve) => {
          taken[name]++;
          held.push(() => resolve(new Uint8Array(1)));
        }),
    });
  await node("one", 1);
  await node("two", 2);
  const { remote } = await remoteEngine(t, db, engine);
  t.equal(remote.threads, 3);
  const calls: Promise<unknown>[] = [];
  for (let count = 1; count <= 6; count++) {
    calls.push(remote.drawPreset("polka", count, 16));
    await until(() => held.length === count);
  }
  t.same(taken, { one: 2, two: 4 });
  for (const answer of held) answer();
  await Promise.all(calls);
});
