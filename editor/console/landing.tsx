/** The first page: what the service does, on one screen, with a pattern to play with. */
import { t } from "../shared/messages.ts";
import { LivePattern } from "./live-pattern.tsx";
import { hasSignIn, hasSignUp, href } from "./places.ts";
import { session } from "./session.ts";

export function Landing() {
  return (
    <main class="landing">
      <div>
        <h1>{t("landing.title")}</h1>
        <p>{t("landing.text")}</p>
        <ul>
          <li>{t("landing.design")}</li>
          <li>{t("landing.download")}</li>
          <li>{t("landing.connect")}</li>
        </ul>
        <Ways />
      </div>
      <LivePattern />
    </main>
  );
}

/** Where to go from here. */
function Ways() {
  const isSignedIn = session.value !== null;
  return (
    <>
      <p class="ways">
        {!isSignedIn && hasSignUp && (
          <a class="button main" href={href("sign-up")}>
            {t("signUp.title")}
          </a>
        )}
        <a class={isSignedIn ? "button main" : "button"} href={href("editor")}>
          {t("landing.editor")}
        </a>
        <a class="button" href={href("docs")}>
          {t("landing.docs")}
        </a>
      </p>
      {!isSignedIn && hasSignIn && !hasSignUp && <p class="note">{t("landing.closed")}</p>}
    </>
  );
}
