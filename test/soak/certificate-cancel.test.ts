/** A cancelled certificate releases its thread. */
import t from "tap";
import { pixelsOf, request, testEngine } from "../helpers/engine.ts";
import { photograph, pngOf } from "../helpers/pictures.ts";

const fields = { size: 4096, tile: "square", hex_cells: "7x4" } as const;

t.test("an abort ends a running and a waiting certificate", async (t) => {
  const engine = await testEngine(t);
  const { design, source } = request({ group: "p6m" });
  const running = new AbortController();
  const waiting = new AbortController();
  const first = t.rejects(
    engine.certify({ kind: "design", design, source, fields }, running.signal),
    {
      message: "gone",
    },
  );
  const picture = { kind: "picture", bytes: pngOf(photograph(64, 64)), group: "p1" } as const;
  const second = t.rejects(engine.certify(picture, waiting.signal), { message: "gone too" });
  waiting.abort(new Error("gone too"));
  await second;
  // By now the first one's thread is working.
  setTimeout(() => running.abort(new Error("gone")), 100);
  await first;
  t.equal((await pixelsOf(engine, { render: { size: 32 } })).width, 32);
  t.equal((await engine.certify(picture)).claimed, "p1", "and the next one is certified");
});

t.test("an abort before the start starts nothing", async (t) => {
  const engine = await testEngine(t);
  const picture = { kind: "picture", bytes: pngOf(photograph(64, 64)), group: "p1" } as const;
  const gone = AbortSignal.abort(new Error("gone"));
  await t.rejects(engine.certify(picture, gone), { message: "gone" });
});
