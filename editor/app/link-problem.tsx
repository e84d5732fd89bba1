/** What a shop's customer sees whose link does not open the editor, or no longer. */
import { useEffect } from "preact/hooks";
import { t } from "../shared/messages.ts";
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
      <p>{reason}</p>
      {SHOP === null ? (
        <p>{t("link.again")}</p>
      ) : (
        <a class="button" href={SHOP} onClick={close}>
          {t("link.back")}
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
