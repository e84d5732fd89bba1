import t from "tap";
import { closedLoop } from "../../bench/harness/closed-loop.ts";

t.test("sends every request once, with at most one in flight for each client", async (t) => {
  const requests = Array.from({ length: 50 }, (_, number) => number);
  const sent: number[] = [];
  let atWork = 0;
  let most = 0;
  const load = await closedLoop(requests, 4, async (request) => {
    sent.push(request);
    most = Math.max(most, ++atWork);
    await new Promise(setImmediate);
    atWork--;
  });
  t.strictSame(sent, requests);
  t.equal(most, 4);
  t.ok(load.rate > 0 && load.median <= load.p95);
});

t.test("stops at the first failed request", async (t) => {
  const failing = closedLoop([1, 2, 3], 1, async (request) => {
    if (request === 2) throw new Error("no answer");
    t.not(request, 3, "nothing is sent after a failure");
  });
  await t.rejects(failing, { message: "no answer" });
});
