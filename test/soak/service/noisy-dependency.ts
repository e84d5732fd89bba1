/** Imitates a careless dependency: it prints while there is work, on every thread. */
import { isMainThread } from "node:worker_threads";

const timer = setInterval(() => {
  if (isMainThread && process.stdin.listenerCount("data") === 0) return;
  console.log("console.log of a dependency");
  console.info("console.info of a dependency");
  process.stdout.write("process.stdout of a dependency\n");
}, 5);
timer.unref();
