/** When a render node gets calls, by what is known of it. */
import t from "tap";
import { NodeLost } from "../../server/render-nodes/errors.ts";
import { RenderNode } from "../../server/render-nodes/render-node.ts";
import { testLog } from "../helpers/log.ts";

/** A node, the time of its clock, and what was logged. */
function createNode() {
  const { log, entries } = testLog();
  const clock = { now: 0 };
  const row = { id: "one", url: "http://one:1", engine: "", threads: 2 };
  const node = new RenderNode(row, log, () => clock.now);
  return { node, clock, messages: () => entries.map(({ level, msg }) => `${level}: ${msg}`) };
}

const failure = new NodeLost("it hangs");

t.test("after a failed call there is a pause, longer after each, then one call at a time", (t) => {
  const { node, clock } = createNode();
  t.ok(node.takesCalls);
  for (const pause of [1000, 2000, 4000, 8000, 10_000, 10_000]) {
    const failedAt = clock.now;
    // Others that are lost at the same time do not make it longer.
    for (const _ of [1, 2, 3]) node.callFailed(failure);
    t.equal(node.state, "failing");
    clock.now = failedAt + pause - 1;
    t.notOk(node.takesCalls, `for ${pause} ms`);
    clock.now = failedAt + pause;
    t.ok(node.takesCalls);
    node.begin();
    t.notOk(node.takesCalls, "one call tries it");
    node.answered();
    t.notOk(node.takesCalls, "that it answers does not mean that calls succeed");
    node.end();
  }
  node.callAnswered();
  t.ok(node.takesCalls);
  node.begin();
  t.ok(node.takesCalls);
  node.callFailed(failure);
  node.end();
  clock.now += 1000;
  t.ok(node.takesCalls, "the pauses begin anew");
  node.callAnswered();
  node.callFailed(failure);
  t.notOk(node.takesCalls, "at once after an answer as well");
  t.end();
});

t.test("a call of before does not keep one that fails from being tried", (t) => {
  const { node, clock } = createNode();
  node.begin();
  node.callFailed(failure);
  clock.now = 1000;
  t.ok(node.takesCalls);
  t.equal(node.outstanding, 1);
  t.end();
});

t.test("one that is silent gets no calls until it answers", (t) => {
  const { node, clock } = createNode();
  node.wasSilent(failure);
  clock.now = 1e9;
  t.same([node.state, node.takesCalls], ["silent", false]);
  node.answered();
  t.same([node.state, node.takesCalls], ["ok", true]);
  t.end();
});

t.test("one that stops gets no calls any more", (t) => {
  const [said, lost] = [createNode(), createNode()];
  said.node.stops();
  lost.node.callFailed(new NodeLost("gone", { wasStopping: true }));
  for (const { node, clock, messages } of [said, lost]) {
    node.answered();
    node.callAnswered();
    clock.now = 1e9;
    t.same([node.state, node.takesCalls], ["stopping", false]);
    t.same(messages(), ["info: the render node http://one:1 stops"], "that is no failure");
  }
  t.end();
});

t.test("the log has the first reason, and the end", (t) => {
  const { node, messages } = createNode();
  node.wasSilent(failure);
  node.callFailed(failure);
  node.answered();
  node.callAnswered();
  node.callAnswered();
  t.same(messages(), [
    "warn: the render node http://one:1 takes no calls",
    "info: the render node http://one:1 takes calls again",
  ]);
  t.end();
});
