import Type, { type Static } from "typebox";
import type { Handoff } from "../../db/index.ts";
import { requireActive, requireProgrammaticPlan } from "./accounts.ts";
import { handoffHash } from "./create-handoff.ts";
import { DeadHandoff } from "./errors.ts";
import { strict } from "./resources/fields.ts";
import type { Services } from "./services.ts";

export const OpenHandoff = Type.Object(
  {
    handoff: Type.String({
      minLength: 1,
      maxLength: 200,
      examples: ["k3nZ1uXn0yq4cE6bq1Jx8v3m0Q2a7dR5tYw9LhPsGfE"],
      description: "The token in the editor's address. It works once.",
    }),
  },
  strict,
);

export interface OpenedHandoff {
  readonly handoff: Handoff;
  readonly token: string;
  readonly expiresAt: Date;
}

/**
 * Begins a guest's session. Throws DeadHandoff for a token that is unknown, used or expired,
 * AccountFrozen, PlanRequired.
 */
export async function openHandoff(
  { db, guests }: Services,
  { handoff: token }: Static<typeof OpenHandoff>,
): Promise<OpenedHandoff> {
  const waiting = await db.handoffs.waiting(handoffHash(token));
  const account = waiting && (await db.accounts.byId(waiting.account_id));
  if (!account) throw new DeadHandoff();
  requireActive(account);
  requireProgrammaticPlan(account);
  // Only now is the token used up: the customer may come again once the account is in order.
  const handoff = await db.handoffs.open(waiting.id);
  if (!handoff) throw new DeadHandoff();
  return {
    handoff,
    ...(await guests.sign({ accountId: account.id, handoffId: handoff.id })),
  };
}
