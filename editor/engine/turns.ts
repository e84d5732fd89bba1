const { port1, port2 } = new MessageChannel();

/** Resolves in a later turn of the event loop. Timers would wait 4 ms. */
export function receiveMessages(): Promise<void> {
  return new Promise((resolve) => {
    port1.onmessage = () => resolve();
    port2.postMessage(null);
  });
}

/** Milliseconds of work between two turns. A turn takes up to a fifth of one. */
const WORK_MS = 8;
let lastTurn = 0;

/** `receiveMessages` if some milliseconds have passed since it was last called by this. */
export async function receiveMessagesNowAndThen(): Promise<void> {
  if (performance.now() - lastTurn < WORK_MS) return;
  await receiveMessages();
  lastTurn = performance.now();
}
