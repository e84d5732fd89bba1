/** The editor of patterns. */
import { effect, signal } from "@preact/signals";
import { render } from "preact";
import "./main.css";
import "./effects.css";
import "./motif-stage.css";
import "./shop.css";
import "./views.css";
import english from "../messages/app/en.json" with { type: "json" };
import { endedToken, SERVICE } from "../shared/api.ts";
import { shownStatus } from "../shared/attempt.ts";
import { startLanguage } from "../shared/choose-language.ts";
import { failure } from "../shared/engine.ts";
import { LanguageChoice } from "../shared/language-choice.tsx";
import { t } from "../shared/messages.ts";
import { openSession, type Session } from "../shared/session.ts";
import { Actions } from "./actions.tsx";
import { AperiodicControls } from "./aperiodic.tsx";
import { DropZone } from "./drop-zone.tsx";
import { Effects, SurfaceEffects } from "./effects.tsx";
import { LinkProblem } from "./link-problem.tsx";
import { Look } from "./look.tsx";
import { MotifControls } from "./motif.tsx";
import { OfferedDesign } from "./offered-design.tsx";
import { Pictures } from "./pictures.tsx";
import { problemInWords, whyNotOpened } from "./problem-words.ts";
import { ProductLine, Products } from "./product.tsx";
import { hasEnded, SessionEnd } from "./session-end.tsx";
import { tellShop } from "./shop-frame.ts";
import { SignIn } from "./sign-in.tsx";
import { Counterchanges, Symmetry } from "./symmetry.tsx";
import { shownSource } from "./upload.ts";
import { Views, view } from "./views.tsx";
import { followShop } from "./way-back.ts";
import { openWorkspace, session, status } from "./workspace.ts";

/** Whether the page waits for a user to sign in. */
const isSignedOut = signal(false);

/** Why the editor did not open; empty if it did. */
const problem = signal("");

function Page() {
  return (
    <>
      <header>
        <h1 tabIndex={-1}>{t("page.heading")}</h1>
        <LanguageChoice />
        <ProductLine />
        {session.value && "account_id" in session.value && (
          <a href={new URL("console/patterns", SERVICE).href}>{t("page.patterns")}</a>
        )}
        <p role="status">
          {!hasEnded.value &&
            (shownStatus.value || (failure.value && problemInWords(failure.value)))}
        </p>
      </header>
      {isSignedOut.value && !session.value && <SignIn />}
      {problem.value && <LinkProblem title={t("link.title")} reason={problem.value} />}
      {hasEnded.value ? <SessionEnd /> : session.value && <Editor />}
    </>
  );
}

function Editor() {
  return (
    <main>
      <Views />
      <div class="panels">
        <Pictures />
        {shownSource.value !== null && (
          <>
            {view.value === "aperiodic" ? <AperiodicControls /> : <Symmetry />}
            <MotifControls />
            <Look />
            {view.value !== "aperiodic" && <Counterchanges />}
            <Effects />
            <SurfaceEffects />
            <Products />
          </>
        )}
      </div>
      <Actions />
      <DropZone />
      <OfferedDesign />
    </main>
  );
}

await startLanguage({ ...english, folder: "app" }, document.body.dataset.locale);
effect(() => {
  document.title = t("page.title");
});
status.value = t("status.opening");
render(<Page />, document.body);
tellShop({ type: "orbifold:ready" });

// A link to another design that is put into the address of this page.
addEventListener("hashchange", () => location.reload());

let opened: Session | null = null;
try {
  opened = await openSession();
  if (opened !== null) await openWorkspace(opened);
  else {
    isSignedOut.value = true;
    status.value = "";
  }
  followShop();
} catch (error) {
  status.value = "";
  if (opened !== null && endedToken.value === opened.token) session.value = opened;
  else problem.value = whyNotOpened(error);
}
