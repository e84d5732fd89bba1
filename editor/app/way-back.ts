/** The customer's way back to the shop. */
import { effect } from "@preact/signals";
import { call } from "../shared/api.ts";
import { t } from "../shared/messages.ts";
import { draft } from "./history.ts";
import { type ShopMessage, tellShop, whenShopCancels } from "./shop-frame.ts";
import { attempt, savePattern, session, tokenOf } from "./workspace.ts";

interface Return {
  readonly redirect_url: string;
}

/** The page that frames this one goes there, or else this page itself. */
function leave(message: ShopMessage & Return): void {
  if (!tellShop(message)) location.assign(message.redirect_url);
}

/** Returns to the shop with the pattern. */
export const finish = () =>
  void attempt(t("status.finishing"), async () => {
    const pattern_id = await savePattern();
    // The same pattern once more changes nothing.
    const options = { token: tokenOf(), json: { pattern_id }, isRepeatable: true };
    const { redirect_url } = await call<Return>("POST", "embed/finish", options);
    leave({ type: "orbifold:finish", pattern_id, redirect_url });
  });

/** Returns to the shop without a pattern: unsigned where the service does not answer. */
export async function cancel(): Promise<void> {
  const opened = session.value;
  if (opened === null || !("return_url" in opened)) return;
  const { token, cancel_url, return_url } = opened;
  const { redirect_url } = await call<Return>("POST", "embed/cancel", { token }).catch(() => ({
    redirect_url: cancel_url ?? return_url,
  }));
  leave({ type: "orbifold:cancel", redirect_url });
}

/** Reports every change of the design to the page that frames this one, and lets it cancel. */
export function followShop(): void {
  whenShopCancels(() => void cancel());
  effect(() => {
    if (draft.value.source !== null) tellShop({ type: "orbifold:change" });
  });
}
