/** The frame of every page: links, and what happens. */
import type { ComponentChildren } from "preact";
import { isBusy, shownStatus } from "../shared/attempt.ts";
import { LanguageChoice } from "../shared/language-choice.tsx";
import { t } from "../shared/messages.ts";
import { Confirmation } from "./confirm.tsx";
import { hasSignIn, here, href } from "./places.ts";
import { close, session } from "./session.ts";
import { TITLES } from "./titles.ts";

/** Paths of an owner's pages. */
const LINKS = [
  "console/patterns",
  "console/usage",
  "console/api-keys",
  "console/integrations",
  "console/account",
] as const;

/** And those of an operator. */
const OPERATORS_LINKS = [...LINKS, "console/accounts"] as const;

export function Shell({ children }: { readonly children: ComponentChildren }) {
  return (
    <>
      <header>
        <a class="brand" href={href()}>
          orbifold
        </a>
        {session.value ? <OwnersLinks /> : <VisitorsLinks />}
        <LanguageChoice />
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
      <nav aria-label={t("account.title")}>
        {links.map((path) => (
          <a key={path} href={href(path)} aria-current={currentOf(path)}>
            {t(TITLES[path])}
          </a>
        ))}
        <a href={href("editor")}>{t("shell.editor")}</a>
        <a href={href("docs")}>{t("shell.docs")}</a>
      </nav>
      <button type="button" onClick={signOut}>
        {t("shell.signOut")}
      </button>
    </>
  );
}

function VisitorsLinks() {
  return (
    <nav aria-label={t("shell.service")}>
      <a href={href("editor")}>{t("shell.editor")}</a>
      <a href={href("docs")}>{t("shell.docs")}</a>
      {hasSignIn && here !== "sign-in" && <a href={href("sign-in")}>{t("signIn.submit")}</a>}
    </nav>
  );
}
