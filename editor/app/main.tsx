/** The editor of patterns. */
import { signal } from "@preact/signals";
import { render } from "preact";
import type { GuestSession } from "../../server/actions/handoffs.ts";
import "./main.css";
import { openSession } from "./session.ts";

const session = signal<GuestSession | null>(null);
const state = signal("Opening …");

function Page() {
  return (
    <main>
      <h1>Design a pattern</h1>
      <p role="status">{state}</p>
      {session.value && <Opened {...session.value} />}
    </main>
  );
}

function Opened({ product_id, token, return_url }: GuestSession) {
  return (
    <section>
      <p>
        You are designing for product <strong>{product_id}</strong>.
      </p>
      <p>
        The editor with its tools will be on this page. Until then a design is made through the{" "}
        <a href={new URL("../../docs", import.meta.url).href}>API</a> with the token of this
        session, which your shop's plugin can use:
      </p>
      <pre>{token}</pre>
      <p>
        <a href={return_url}>Back to the shop without a design</a>
      </p>
    </section>
  );
}

render(<Page />, document.body);

try {
  session.value = await openSession();
  state.value = session.value
    ? `Your session is open until ${new Date(session.value.expires_at).toLocaleString()}.`
    : "This page is opened by a shop, for one of its products.";
} catch (error) {
  const why = error instanceof Error ? error.message : String(error);
  state.value = `This did not work: ${why}. Go back to the shop and start again.`;
}
