/** Turns of a worker's event loop, in which messages that have come are received. */

export interface Turns {
  /** Resolves once the messages that have come were received. */
  receiveMessages(): Promise<void>;
  /** The same, but at once unless some milliseconds have passed since it was last done. */
  receiveMessagesNowAndThen(): Promise<void>;
}

const { port1, port2 } = new MessageChannel();

/** Milliseconds of work between two turns. A turn takes up to a fifth of one. */
const WORK_MS = 8;
let lastTurn = 0;

/** The turns of this worker. */
export const turns: Turns = {
  // Timers would wait 4 ms.
  receiveMessages: () =>
    new Promise((resolve) => {
      port1.onmessage = () => {
        lastTurn = performance.now();
        resolve();
      };
      port2.postMessage(null);
    }),
  async receiveMessagesNowAndThen() {
    if (performance.now() - lastTurn >= WORK_MS) await turns.receiveMessages();
  },
};
