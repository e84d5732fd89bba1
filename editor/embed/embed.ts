/**
 * The script for pages of shops. A form with the attribute `data-orbifold` opens the editor over the page
 * when it is submitted, where the shop's server responds with `editor_url`. Where that does not work, the
 * form is submitted as forms are, and the shop redirects.
 */

/** Milliseconds until a frame that does not report is taken for one that the browser forbids. */
const READY_MS = 15_000;

const STYLE =
  "box-sizing:border-box;width:100%;height:100%;max-width:none;max-height:none;margin:0;padding:0;border:0;background:Canvas";

/** How the editor of a form is shown again: one that was cancelled is kept. Null until it is open. */
const opened = new Map<HTMLFormElement, (() => void) | null>();

addEventListener("submit", (event) => {
  const form = event.target as HTMLFormElement;
  if (event.defaultPrevented || !("orbifold" in form.dataset)) return;
  if (!("HTMLDialogElement" in window)) return;
  event.preventDefault();
  if (opened.has(form)) opened.get(form)?.();
  else {
    opened.set(form, null);
    open(form, event.submitter).catch(() => {
      opened.delete(form);
      form.submit();
    });
  }
});

/** Asks the shop's server for the editor's address. */
async function handOver(action: string, body: URLSearchParams): Promise<string> {
  const headers = { Accept: "application/json" };
  const response = await fetch(action, { method: "POST", headers, body });
  return ((await response.json()) as { readonly editor_url: string }).editor_url;
}

/** Keeps the editor's address in this tab, or forgets it for null. Returns the one that is kept. */
function remember(name: string, url?: string | null): string | null {
  try {
    if (url) sessionStorage.setItem(name, url);
    if (url === null) sessionStorage.removeItem(name);
    return sessionStorage.getItem(name);
  } catch {
    return null;
  }
}

async function open(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
  // As the browser would send it.
  const body = new URLSearchParams(new FormData(form, submitter) as unknown as [string, string][]);
  const name = `orbifold ${form.action}?${body}`;
  // A page that crashed or was loaded again goes on with its design.
  const known = remember(name);
  const editor_url = known ?? (await handOver(form.action, body));
  remember(name, editor_url);
  const { origin } = new URL(editor_url);

  const root = document.documentElement;
  const dialog = document.createElement("dialog");
  const frame = document.createElement("iframe");
  dialog.style.cssText = frame.style.cssText = STYLE;
  dialog.ariaLabel = frame.title = form.dataset.orbifold || "Design a pattern";
  dialog.append(frame);
  document.body.append(dialog);

  let overflow = "";
  const show = () => {
    ({ overflow } = root.style);
    root.style.overflow = "hidden";
    // The page behind is inert meanwhile, and focus returns to it after.
    dialog.showModal();
    frame.focus();
  };
  const listening = new AbortController();
  const { signal } = listening;
  const remove = () => {
    remember(name, null);
    clearTimeout(late);
    listening.abort();
    opened.delete(form);
    dialog.close();
    dialog.remove();
  };
  const late = setTimeout(() => {
    remove();
    location.assign(editor_url);
  }, READY_MS);
  let isReady = false;
  let hasFailed = false;

  addEventListener(
    "message",
    (event) => {
      if (event.origin !== origin || event.source !== frame.contentWindow) return;
      const { type, ...detail } = event.data;
      if (!/^orbifold:(ready|change|finish|cancel|error)$/.test(type)) return;
      const { redirect_url } = detail;
      clearTimeout(late);
      isReady = true;
      if (type === "orbifold:error") {
        hasFailed = true;
        // The browser has forgotten that session: this needs another one.
        if (known) {
          remove();
          opened.set(form, null);
          open(form, submitter).catch(() => form.submit());
          return;
        }
      }
      if (type === "orbifold:cancel") {
        if (hasFailed) remove();
        else dialog.close();
      }
      if (type === "orbifold:finish") remove();
      const proceeds = form.dispatchEvent(
        new CustomEvent(type, { bubbles: true, cancelable: true, detail }),
      );
      if (type === "orbifold:finish" && proceeds && /^https?:/.test(redirect_url)) {
        location.assign(redirect_url);
      }
    },
    { signal },
  );
  // Escape, where the frame does not have the focus.
  dialog.addEventListener("cancel", (event) => {
    event.preventDefault();
    if (isReady) frame.contentWindow?.postMessage({ type: "orbifold:cancel" }, origin);
    else remove();
  });
  dialog.addEventListener("close", () => {
    root.style.overflow = overflow;
  });

  frame.src = editor_url;
  opened.set(form, show);
  show();
}
