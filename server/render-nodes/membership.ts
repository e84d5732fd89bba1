/** This process as a node that renders for others. */
import { randomUUID } from "node:crypto";
import { networkInterfaces } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import type { Database, RenderNodeRow } from "../../db/index.ts";
import type { Log } from "../actions/log.ts";
import { withTimeLimit } from "../actions/time-limit.ts";
import { urlOf } from "../addresses.ts";
import { buildOf } from "./protocol.ts";

/** How often a node renews itself: several times before it counts as gone. */
const BEAT_MS = 2000;

/** After so long another try is made: a query on a connection that was cut off ends much later. */
const BEAT_LIMIT_MS = 3000;

/** Returns the secret by which nodes know each other. */
export const renderSecret = async ({ secrets }: Pick<Database, "secrets">): Promise<string> =>
  Buffer.from(await secrets.get("render nodes")).toString("base64url");

/** Time limit of leaving, where the database does not answer. */
const LEAVE_MS = 2000;

export interface Membership {
  /** Takes the node off the list. Others may call it for a moment. Never rejects. */
  leave(): Promise<void>;
}

/** Puts this process on the list of render nodes. Rejects where that fails; later it is tried again. */
export async function joinRenderNodes(
  { renderNodes }: Pick<Database, "renderNodes">,
  facts: Omit<RenderNodeRow, "id">,
  log: Pick<Log, "warn">,
): Promise<Membership> {
  const node = { id: randomUUID(), ...facts, engine: buildOf(facts.engine) };
  await renderNodes.beat(node);
  let beating: Promise<void> | null = null;
  let hasFailed = false;
  const timer = setInterval(() => {
    beating ??= withTimeLimit(renderNodes.beat(node), BEAT_LIMIT_MS)
      .then(
        () => {
          hasFailed = false;
        },
        (error) => {
          if (!hasFailed) log.warn({ error }, "this render node could not renew itself");
          hasFailed = true;
        },
      )
      .finally(() => {
        beating = null;
      });
  }, BEAT_MS).unref();
  const leave = async () => {
    clearInterval(timer);
    // It would put the node back.
    await beating;
    await renderNodes.leave(node.id);
  };
  let leaving: Promise<unknown> | undefined;
  return {
    async leave() {
      leaving ??= leave().catch((error) =>
        log.warn({ error }, "this render node could not leave the list"),
      );
      await Promise.race([leaving, delay(LEAVE_MS, undefined, { ref: false })]);
    },
  };
}

/** Returns the URL at which other machines reach a port of this one; `listensOn` may be the wildcard address. */
export function urlForOthers(listensOn: string, port: number): string {
  if (!["0.0.0.0", "::"].includes(listensOn)) return urlOf(listensOn, port);
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  // Link-local addresses mean something only with the name of an interface.
  const outward = all.filter(({ internal, address }) => !internal && !/^fe80:/i.test(address));
  const found = outward.find(({ family }) => family === "IPv4") ?? outward[0];
  return urlOf(found?.address ?? listensOn, port);
}
