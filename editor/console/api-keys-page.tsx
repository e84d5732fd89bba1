/** API keys: create, look at, revoke. */
import { useSignal } from "@preact/signals";
import type { ApiKey, Scope } from "../../server/actions/api-keys.ts";
import { API } from "../shared/api.ts";
import { attempt } from "../shared/attempt.ts";
import { confirm } from "./confirm.tsx";
import { useLoaded } from "./loaded.ts";
import { Moment } from "./moments.tsx";
import { href } from "./places.ts";
import { Secret } from "./secret.tsx";
import { fetchJson, request } from "./session.ts";

/** What a key may do, for people. */
const SCOPES: Readonly<Record<Scope, string>> = {
  read: "Read and render",
  write: "Create and change patterns and files",
  shops: "Hand customers over from a shop",
  account: "Webhooks and account settings",
  mcp: "Tools for AI agents (MCP)",
};

type NewKey = ApiKey & { readonly secret: string };

export function ApiKeysPage() {
  const keys = useLoaded<{ readonly data: readonly ApiKey[] }>("api-keys");
  const made = useSignal<NewKey | null>(null);
  const create = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const fields = new FormData(form);
    const scopes = fields.getAll("scopes");
    // A key with all of them has those, too, that are added later.
    const limited = scopes.length < Object.keys(SCOPES).length && { scopes };
    const json = { name: fields.get("name"), ...limited };
    void attempt("Creating the key …", async () => {
      if (scopes.length === 0) throw new Error("choose at least one thing that the key may do");
      made.value = await fetchJson<NewKey>("POST", "api-keys", { json, creates: true });
      form.reset();
      await keys.reload();
    });
  };
  const revoke = ({ id, name }: ApiKey) =>
    confirm(`Revoke the key “${name}”? Programs that use it stop at once.`, "Revoke", () => {
      void attempt("Revoking the key …", async () => {
        await request("DELETE", `api-keys/${id}`);
        if (made.value?.id === id) made.value = null;
        await keys.reload();
      });
    });
  return (
    <main class="page">
      <h1>API keys</h1>
      <p>
        Programs use a key where people sign in. The <a href={href("docs")}>documentation</a> has
        every request to try.
      </p>
      <section class="panel" aria-labelledby="new-key">
        <h2 id="new-key">New key</h2>
        <form class="field" onSubmit={create}>
          <label>
            Name
            <input name="name" maxLength={100} placeholder="What will use it" required />
          </label>
          <fieldset>
            <legend>The key may</legend>
            {Object.entries(SCOPES).map(([scope, title]) => (
              <label key={scope} class="check">
                <input type="checkbox" name="scopes" value={scope} defaultChecked />
                {title} ({scope})
              </label>
            ))}
          </fieldset>
          <button type="submit" class="main">
            Create key
          </button>
        </form>
        {made.value && <Made made={made.value} />}
      </section>
      <section class="panel" aria-labelledby="keys">
        <h2 id="keys">Your keys</h2>
        {keys.value?.data.length === 0 && <p>There is none yet. Name one above and create it.</p>}
        <ul class="rows">
          {keys.value?.data.map((key) => (
            <li key={key.id}>
              <div>
                <strong>{key.name}</strong>{" "}
                <code>
                  {key.prefix}…{key.last_four}
                </code>
                <p class="note">
                  Scopes: {key.scopes.join(", ")}. Created <Moment at={key.created_at} />,{" "}
                  {key.last_used_at ? (
                    <>
                      last used <Moment at={key.last_used_at} />
                    </>
                  ) : (
                    "never used"
                  )}
                  .
                </p>
              </div>
              <button type="button" aria-label={`Revoke ${key.name}`} onClick={() => revoke(key)}>
                Revoke
              </button>
            </li>
          ))}
        </ul>
      </section>
    </main>
  );
}

function Made({ made }: { readonly made: NewKey }) {
  const command = `curl ${API.href}patterns -H "X-API-Key: ${made.secret}"`;
  return (
    <div class="made">
      <Secret label={`Secret of “${made.name}”`} secret={made.secret} />
      <p>Try it:</p>
      <pre>{command}</pre>
    </div>
  );
}
