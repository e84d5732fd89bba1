/** The editor of patterns. */
import { signal } from "@preact/signals";
import { render } from "preact";
import "./main.css";
import "./effects.css";
import "./motif-stage.css";
import "./views.css";
import { startLanguage } from "../shared/choose-language.ts";
import { failure } from "../shared/engine.ts";
import { t } from "../shared/messages.ts";
import { openSession } from "../shared/session.ts";
import { Actions } from "./actions.tsx";
import { AperiodicControls } from "./aperiodic.tsx";
import { Effects, SurfaceEffects } from "./effects.tsx";
import { LanguageChoice } from "./language-choice.tsx";
import { LinkProblem } from "./link-problem.tsx";
import { Look } from "./look.tsx";
import { MotifControls } from "./motif.tsx";
import { Pictures } from "./pictures.tsx";
import { whyNotOpened } from "./problem-words.ts";
import { ProductLine, ProductView } from "./product.tsx";
import { tellShop } from "./shop-frame.ts";
import { SignIn } from "./sign-in.tsx";
import { Symmetry } from "./symmetry.tsx";
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
        <h1>{t("page.heading")}</h1>
        <LanguageChoice />
        <ProductLine />
        <p role="status">{status.value || failure.value}</p>
      </header>
      {isSignedOut.value && !session.value && <SignIn />}
      {problem.value && <LinkProblem reason={problem.value} />}
      {session.value && <Editor />}
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
            <Effects />
            <SurfaceEffects />
            <ProductView />
          </>
        )}
      </div>
      <Actions />
    </main>
  );
}

await startLanguage(document.body.dataset.locale);
status.value = t("status.opening");
render(<Page />, document.body);
tellShop({ type: "orbifold:ready" });

try {
  const opened = await openSession();
  if (opened !== null) await openWorkspace(opened);
  else {
    isSignedOut.value = true;
    status.value = "";
  }
  followShop();
} catch (error) {
  problem.value = whyNotOpened(error);
  status.value = "";
  tellShop({ type: "orbifold:error", message: problem.value });
}
