/** `orbifold health` */
import { failingChecks, type ReadinessChecks } from "../actions/readiness.ts";
import { command } from "./command.ts";
import { table } from "./table.ts";

const TIMEOUT_MS = 5000;

/** The process does not serve requests; the message says why. */
class Unhealthy extends Error {
  readonly code = "unhealthy";
  override readonly name = "Unhealthy";
}

async function askReadiness(url: string): Promise<{ isReady: boolean; checks: ReadinessChecks }> {
  const noAnswer = (why: string) => new Unhealthy(`no answer of the service at ${url}: ${why}`);
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(`${url}/readyz`, { signal, redirect: "error" });
    const { checks } = await response.json();
    if (checks === undefined) throw noAnswer(`status ${response.status} without checks`);
    return { isReady: response.ok, checks };
  } catch (error) {
    if (!(error instanceof Error) || error instanceof Unhealthy) throw error;
    throw noAnswer(reasonOf(error.cause ?? error));
  }
}

/** Returns the message of an error, or its code if it has none: it collects those of several addresses. */
function reasonOf(error: unknown): string {
  const { message = String(error), code }: { message?: string; code?: string } = Object(error);
  return message || String(code);
}

export const healthCommands = [
  command({
    name: "health",
    summary: "ask the running service at HOST and PORT whether it is ready; ends with 1 if not",
    options: {},
    run: async ({ serviceUrl }) => {
      const { isReady, checks } = await askReadiness(serviceUrl);
      if (!isReady) throw new Unhealthy(`not ready: ${failingChecks(checks).join(", ")}`);
      const rows = Object.entries(checks).map(([name, { status }]) => [name, status]);
      return { text: table([["CHECK", "STATUS"], ...rows]), json: { status: "ready", checks } };
    },
  }),
];
