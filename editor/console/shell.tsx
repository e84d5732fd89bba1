/** The frame of every page: links, and what happens. */
import type { ComponentChildren } from "preact";
import { isBusy, shownStatus } from "../shared/attempt.ts";
import { Confirmation } from "./confirm.tsx";
import { hasSignIn, here, href } from "./places.ts";
import { close, session } from "./session.ts";

/** Pages of an account's owner, by their paths. */
const LINKS = {
  "console/patterns": "Patterns",
  "console/usage": "Usage",
  "console/api-keys": "API keys",
  "console/integrations": "Integrations",
  "console/account": "Account",
};

/** And those of an operator. */
const OPERATORS_LINKS = { ...LINKS, "console/accounts": "All accounts" };

export function Shell({ children }: { readonly children: ComponentChildren }) {
  return (
    <>
      <header>
        <a class="brand" href={href()}>
          orbifold
        </a>
        {session.value ? <OwnersLinks /> : <VisitorsLinks />}
      </header>
      <p role="status" aria-busy={isBusy.value}>
        {shownStatus.value}
      </p>
      {children}
      <Confirmation />
    </>
  );
}

/** The list of accounts has pages below it. */
function currentOf(path: string) {
  if (path === here) return "page";
  return here.startsWith(`${path}/`) ? "true" : undefined;
}

function OwnersLinks() {
  const links = session.value?.role === "operator" ? OPERATORS_LINKS : LINKS;
  const signOut = () => {
    close();
    location.assign(href());
  };
  return (
    <>
      <nav aria-label="Account">
        {Object.entries(links).map(([path, title]) => (
          <a key={path} href={href(path)} aria-current={currentOf(path)}>
            {title}
          </a>
        ))}
        <a href={href("editor")}>Editor</a>
        <a href={href("docs")}>Docs</a>
      </nav>
      <button type="button" onClick={signOut}>
        Sign out
      </button>
    </>
  );
}

function VisitorsLinks() {
  return (
    <nav aria-label="Service">
      <a href={href("editor")}>Editor</a>
      <a href={href("docs")}>Docs</a>
      {hasSignIn && here !== "sign-in" && <a href={href("sign-in")}>Sign in</a>}
    </nav>
  );
}
