/** Passes the design on as a link. A shop's customer has none: theirs belongs to the shop's product. */
import { t } from "../shared/messages.ts";
import { linkTo } from "./design-link.ts";
import { draft } from "./history.ts";
import { attempt, status } from "./workspace.ts";

export function ShareLink({ isReady }: { readonly isReady: boolean }) {
  return (
    <>
      <button type="button" aria-disabled={!isReady} onClick={() => isReady && copy()}>
        {t("link.copy")}
      </button>
      {"share" in navigator && (
        <button type="button" aria-disabled={!isReady} onClick={() => isReady && share()}>
          {t("link.share")}
        </button>
      )}
    </>
  );
}

const copy = () =>
  void attempt(t("status.copying"), async () => {
    const url = await linkTo(draft.value);
    try {
      await navigator.clipboard.writeText(url);
      status.value = t("link.copied");
    } catch {
      // Pages without TLS have no clipboard, but an address that one can copy.
      history.replaceState(null, "", url);
      status.value = t("link.inAddress");
    }
  });

const share = () =>
  void attempt(t("status.sharing"), async () => {
    const url = await linkTo(draft.value);
    await navigator.share({ title: t("link.pattern"), url }).catch((error) => {
      // The user chose nobody.
      if (error.name !== "AbortError") throw error;
    });
  });
