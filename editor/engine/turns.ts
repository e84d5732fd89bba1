const { port1, port2 } = new MessageChannel();

/** Resolves in a later turn of the event loop. Timers would wait 4 ms. */
export function receiveMessages(): Promise<void> {
  return new Promise((resolve) => {
    port1.onmessage = () => resolve();
    port2.postMessage(null);
  });
}
