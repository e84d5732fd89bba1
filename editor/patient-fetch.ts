/** Milliseconds between attempts, at least: more than a minute in all. */
const WAITS = [500, 1000, 2000, 4000, 8000, 15_000, 15_000, 15_000, 15_000];

/** Longest wait in seconds; a response that asks for a longer one, such as an hourly limit, is returned at once. */
const LONGEST_SECONDS = 60;

/** Too many requests, and a service that is overloaded or restarts: nothing was done. */
const LATER = [429, 503];

/**
 * Fetches like `fetch`, again where the service asks for that, and where the network failed if the request
 * may be repeated: after a while, or when the browser is online again.
 * @param onWait called with true where the network failed and the request will be repeated, with false when it
 * ends
 */
export async function patientFetch(
  url: URL,
  init: RequestInit,
  isRepeatable: boolean,
  onWait: (isWaiting: boolean) => void = () => undefined,
): Promise<Response> {
  for (let attempt = 0; ; attempt++) {
    const wait = WAITS[attempt];
    let seconds = 0;
    try {
      const response = await fetch(url, init);
      onWait(false);
      if (wait === undefined || !LATER.includes(response.status)) return response;
      seconds = Number(response.headers.get("Retry-After"));
      if (seconds > LONGEST_SECONDS) return response;
    } catch (error) {
      const isOver = wait === undefined || !isRepeatable;
      onWait(!isOver);
      if (isOver) throw error;
    }
    await new Promise((resolve) => {
      setTimeout(resolve, Math.max(wait, 1000 * seconds));
      addEventListener("online", resolve, { once: true });
    });
  }
}
