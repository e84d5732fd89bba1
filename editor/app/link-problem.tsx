/** What a shop's customer sees whose link does not open the editor, or no longer. */
import { useEffect } from "preact/hooks";
import { SHOP, tellShop } from "./shop-frame.ts";

interface LinkProblemProps {
  readonly title: string;
  readonly reason: string;
}

export function LinkProblem({ title, reason }: LinkProblemProps) {
  // The page that frames this one opens another session next time.
  useEffect(() => void tellShop({ type: "orbifold:error", message: reason }), [reason]);
  return (
    <main class="narrow">
      <h2>{title}</h2>
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
