/** What a shop's customer sees whose link does not open the editor. */
import { t } from "../shared/messages.ts";
import { SHOP, tellShop } from "./shop-frame.ts";

export function LinkProblem({ reason }: { readonly reason: string }) {
  return (
    <main class="narrow">
      <h2>{t("link.title")}</h2>
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
