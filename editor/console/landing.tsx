/** The first page: what the service does, on one screen, with a pattern to play with. */
import { LivePattern } from "./live-pattern.tsx";
import { hasSignIn, hasSignUp, href } from "./places.ts";
import { session } from "./session.ts";

export function Landing() {
  return (
    <main class="landing">
      <div>
        <h1>Any picture, repeated without a seam</h1>
        <p>
          orbifold turns a photograph or a drawing into a pattern under any of the 17 symmetries
          that a plane can have, for cloth, paper, walls and screens.
        </p>
        <ul>
          <li>Design in the browser, and see every change at once.</li>
          <li>Download tiles, print files in millimetres, and mockups on products.</li>
          <li>Connect a shop, a print provider or an AI agent by REST, MCP and webhooks.</li>
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
            Create an account
          </a>
        )}
        <a class={isSignedIn ? "button main" : "button"} href={href("editor")}>
          Open the editor
        </a>
        <a class="button" href={href("docs")}>
          API documentation
        </a>
      </p>
      {!isSignedIn && hasSignIn && !hasSignUp && (
        <p class="note">Accounts are created by the operator of this service.</p>
      )}
    </>
  );
}
