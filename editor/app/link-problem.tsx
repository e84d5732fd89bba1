/** What a shop's customer sees whose link does not open the editor. */
import { SHOP, tellShop } from "./shop-frame.ts";

export function LinkProblem({ reason }: { readonly reason: string }) {
  return (
    <main class="narrow">
      <h2>The editor did not open</h2>
      <p>{`${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`}</p>
      {SHOP === null ? (
        <p>Go back to the shop and start again: it makes a new link for you.</p>
      ) : (
        <a class="button" href={SHOP} onClick={close}>
          Back to the shop
        </a>
      )}
    </main>
  );
}

/** Closes the frame, where the page is in one. */
function close(event: MouseEvent): void {
  const isTold = SHOP !== null && tellShop({ type: "orbifold:cancel", redirect_url: SHOP });
  if (isTold) event.preventDefault();
}
