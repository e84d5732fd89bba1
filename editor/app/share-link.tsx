/** Passes the design on as a link. A shop's customer has none: theirs belongs to the shop's product. */
import { linkTo } from "./design-link.ts";
import { draft } from "./history.ts";
import { attempt, status } from "./workspace.ts";

export function ShareLink({ isReady }: { readonly isReady: boolean }) {
  return (
    <>
      <button type="button" aria-disabled={!isReady} onClick={() => isReady && copy()}>
        Copy link
      </button>
      {"share" in navigator && (
        <button type="button" aria-disabled={!isReady} onClick={() => isReady && share()}>
          Share …
        </button>
      )}
    </>
  );
}

const copy = () =>
  void attempt("Copying …", async () => {
    const url = await linkTo(draft.value);
    try {
      await navigator.clipboard.writeText(url);
      status.value = "Link copied. It carries the design, but not your picture.";
    } catch {
      // Pages without TLS have no clipboard, but an address that one can copy.
      history.replaceState(null, "", url);
      status.value =
        "Your browser does not let this page copy: copy its address, which is the link now.";
    }
  });

const share = () =>
  void attempt("Sharing …", async () => {
    const url = await linkTo(draft.value);
    await navigator.share({ title: "A pattern", url }).catch((error) => {
      // The user chose nobody.
      if (error.name !== "AbortError") throw error;
    });
  });
