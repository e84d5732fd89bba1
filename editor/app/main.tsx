/** The editor of patterns. */
import { signal } from "@preact/signals";
import { render } from "preact";
import "./main.css";
import { failure } from "../shared/engine.ts";
import { groupTitle } from "../shared/groups.ts";
import { openSession } from "../shared/session.ts";
import { Actions } from "./actions.tsx";
import { draft } from "./history.ts";
import { LinkProblem } from "./link-problem.tsx";
import { Look } from "./look.tsx";
import { MotifControls } from "./motif.tsx";
import { PatternCanvas } from "./pattern-canvas.tsx";
import { Pictures } from "./pictures.tsx";
import { ProductLine, ProductView } from "./product.tsx";
import { tellShop } from "./shop-frame.ts";
import { SignIn } from "./sign-in.tsx";
import { Symmetry } from "./symmetry.tsx";
import { followShop } from "./way-back.ts";
import { messageOf, openWorkspace, saved, session, status } from "./workspace.ts";

/** Edge of the tile in pixels. */
const SIZE = 512;

/** Whether the page waits for a user to sign in. */
const isSignedOut = signal(false);

/** Why the editor did not open; empty if it did. */
const problem = signal("");

function Page() {
  return (
    <>
      <header>
        <h1>Design a pattern</h1>
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
  const { source, design } = draft.value;
  const { palette, style } = design;
  const isSaved = saved.value?.design === JSON.stringify({ source_id: source?.id, ...design });
  const words = [
    `Pattern: ${groupTitle(design.group)}`,
    ...(style ? [`style ${style}`] : []),
    ...(palette ? [`palette ${palette}`] : []),
  ].join(", ");
  return (
    <main>
      <div class="stage">
        {source === null ? (
          <p class="empty">Choose a picture to begin.</p>
        ) : (
          <PatternCanvas
            lane="pattern"
            size={SIZE}
            source={source}
            design={design}
            label={words}
            pattern={isSaved ? saved.value?.id : undefined}
          />
        )}
      </div>
      <div class="panels">
        <Pictures />
        {source !== null && (
          <>
            <Symmetry />
            <MotifControls />
            <Look />
            <ProductView />
          </>
        )}
      </div>
      <Actions />
    </main>
  );
}

status.value = "Opening …";
render(<Page />, document.body);
tellShop({ type: "orbifold:ready" });

try {
  const opened = await openSession();
  if (opened === null) isSignedOut.value = true;
  else await openWorkspace(opened);
  followShop();
} catch (error) {
  problem.value = messageOf(error);
  tellShop({ type: "orbifold:error", message: problem.value });
}
status.value = "";
