/** The editor of patterns. */
import { signal } from "@preact/signals";
import { render } from "preact";
import "./main.css";
import "./effects.css";
import "./motif-stage.css";
import "./views.css";
import { Actions } from "./actions.tsx";
import { AperiodicControls } from "./aperiodic.tsx";
import { Effects, SurfaceEffects } from "./effects.tsx";
import { failure } from "./engine.ts";
import { Look } from "./look.tsx";
import { MotifControls } from "./motif.tsx";
import { Pictures } from "./pictures.tsx";
import { openSession } from "./session.ts";
import { SignIn } from "./sign-in.tsx";
import { Symmetry } from "./symmetry.tsx";
import { shownSource } from "./upload.ts";
import { Views, view } from "./views.tsx";
import { messageOf, openWorkspace, session, status } from "./workspace.ts";

/** Whether the page waits for a user to sign in. */
const isSignedOut = signal(false);

function Page() {
  return (
    <>
      <header>
        <h1>Design a pattern</h1>
        <p role="status">{status.value || failure.value}</p>
      </header>
      {isSignedOut.value && !session.value && <SignIn />}
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
          </>
        )}
      </div>
      <Actions />
    </main>
  );
}

status.value = "Opening …";
render(<Page />, document.body);

try {
  const opened = await openSession();
  if (opened !== null) await openWorkspace(opened);
  else {
    isSignedOut.value = true;
    status.value = "";
  }
} catch (error) {
  status.value = `This did not work: ${messageOf(error)}. Go back to the shop and start again.`;
}
