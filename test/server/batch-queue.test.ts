/** The number of items that a process renders at once follows the threads there are. */
import t from "tap";
import { createBatchQueue } from "../../server/actions/render-batch.ts";
import { until } from "../helpers/jobs.ts";

t.test("more items run at once when threads come, and fewer when they go", async (t) => {
  let threads = 0;
  const queue = createBatchQueue(() => threads, 1);
  t.equal(queue.concurrency, 1, "at least one");
  const running: (() => void)[] = [];
  const items: Promise<void>[] = [];
  const add = (count: number) => {
    for (let added = 0; added < count; added++) {
      items.push(queue.add(() => new Promise((resolve) => running.push(resolve))));
    }
  };
  add(3);
  await until(() => running.length === 1);
  threads = 4;
  add(1);
  await until(() => running.length === 3);
  t.equal(queue.concurrency, 3, "one is left to other work");
  threads = 1;
  add(1);
  running[0]?.();
  await items[0];
  t.equal(running.length, 3, "none began in its place");
  running[1]?.();
  running[2]?.();
  await until(() => running.length === 4);
  running[3]?.();
  await until(() => running.length === 5);
  running[4]?.();
  await Promise.all(items);
});
