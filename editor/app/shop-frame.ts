/** The shop's page, where the editor is a frame in it. */

/** Where the link in the page's address leads back to; null for a link that is not known, or none. */
export const SHOP = document.body.dataset.returnUrl ?? null;

/** The only origin that this page may be framed by. */
const ORIGIN = SHOP && new URL(SHOP).origin;

const isFramed = ORIGIN !== null && parent !== window;

export type ShopMessage =
  /** The editor runs in the frame. */
  | { readonly type: "orbifold:ready" }
  | { readonly type: "orbifold:change" }
  | {
      readonly type: "orbifold:finish";
      readonly pattern_id: number;
      readonly redirect_url: string;
    }
  | { readonly type: "orbifold:cancel"; readonly redirect_url: string }
  | { readonly type: "orbifold:error"; readonly message: string };

/** Posts a message to the page that frames this one. Returns false where none does. */
export function tellShop(message: ShopMessage): boolean {
  if (!isFramed) return false;
  parent.postMessage(message, ORIGIN);
  return true;
}

/** Calls `cancel` when the shop's page asks for it, and for Escape, which closes what frames this page. */
export function whenShopCancels(cancel: () => void): void {
  if (!isFramed) return;
  addEventListener("message", ({ origin, source, data }) => {
    if (origin === ORIGIN && source === parent && data?.type === "orbifold:cancel") cancel();
  });
  addEventListener("keydown", ({ key, defaultPrevented }) => {
    const isElsewhere = document.querySelector("dialog[open], :popover-open") !== null;
    if (key === "Escape" && !defaultPrevented && !isElsewhere) cancel();
  });
}
