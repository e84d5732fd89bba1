/** The engine with an account's limit on renders in flight. */
import type { Engine } from "../../engine/index.ts";
import { sharesOf } from "./in-flight.ts";
import type { Account, Services } from "./services.ts";

/**
 * Returns the services with an engine that counts this account's renders. It throws InFlightLimitExceeded
 * beyond the account's limit, or a guest's. Background jobs use the engine itself.
 * @param handoffId of a guest session
 */
export function withAccountEngine<Of extends Pick<Services, "db" | "engine" | "rendersInFlight">>(
  services: Of,
  account: Pick<Account, "id" | "plan">,
  handoffId: number | null = null,
): Of {
  const { db, engine, rendersInFlight } = services;
  const shares = sharesOf(db, "renders_in_flight", account, handoffId);
  const begin = () => rendersInFlight.take(shares);
  const counted =
    <Arguments extends unknown[], Result>(run: (...given: Arguments) => Promise<Result>) =>
    async (...given: Arguments): Promise<Result> => {
      const end = begin();
      return run(...given).finally(end);
    };
  const limited: Engine = {
    ...engine,
    announce(owner) {
      const end = begin();
      try {
        const arrive = engine.announce(owner);
        return () => {
          arrive();
          end();
        };
      } catch (error) {
        end();
        throw error;
      }
    },
    async renderStream(...given) {
      const end = begin();
      try {
        const rendering = await engine.renderStream(...given);
        // Timings settle when the last byte has been read, or its reader has disconnected; the
        // signal aborts if nobody starts reading.
        rendering.timings.then(end, end);
        const [, signal] = given;
        signal?.addEventListener("abort", end, { once: true });
        if (signal?.aborted) end();
        return rendering;
      } catch (error) {
        end();
        throw error;
      }
    },
    render: counted(engine.render),
    certify: counted(engine.certify),
    drawPreset: counted(engine.drawPreset),
    inspect: counted(engine.inspect),
  };
  return { ...services, engine: limited };
}
