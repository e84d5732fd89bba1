/** API keys: create, look at, revoke. */
import { useSignal } from "@preact/signals";
import type { ApiKey, Scope } from "../../server/actions/api-keys.ts";
import { API } from "../shared/api.ts";
import { attempt } from "../shared/attempt.ts";
import { t } from "../shared/messages.ts";
import { confirm } from "./confirm.tsx";
import { useLoaded } from "./loaded.ts";
import { Moment } from "./moments.tsx";
import { href } from "./places.ts";
import { rich } from "./rich.ts";
import { Secret } from "./secret.tsx";
import { fetchJson, request } from "./session.ts";

/** What a key may do. */
const SCOPES: readonly Scope[] = ["read", "write", "shops", "account", "mcp"];

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
    const limited = scopes.length < SCOPES.length && { scopes };
    const json = { name: fields.get("name"), ...limited };
    void attempt(t("keys.creating"), async () => {
      if (scopes.length === 0) throw new Error(t("keys.noScope"));
      made.value = await fetchJson<NewKey>("POST", "api-keys", { json, creates: true });
      form.reset();
      await keys.reload();
    });
  };
  const revoke = ({ id, name }: ApiKey) =>
    confirm(t("keys.revokeAsk", { name }), t("keys.revoke"), () => {
      void attempt({ name: t("keys.revoking"), subject: id }, async () => {
        await request("DELETE", `api-keys/${id}`);
        if (made.value?.id === id) made.value = null;
        await keys.reload();
      });
    });
  return (
    <main class="page">
      <h1>{t("keys.title")}</h1>
      <p>
        {rich("keys.intro", {
          documentation: <a href={href("docs")}>{t("shell.documentation")}</a>,
        })}
      </p>
      <section class="panel" aria-labelledby="new-key">
        <h2 id="new-key">{t("keys.new")}</h2>
        <form class="field" onSubmit={create}>
          <label>
            {t("shell.name")}
            <input name="name" maxLength={100} placeholder={t("keys.nameHint")} required />
          </label>
          <fieldset>
            <legend>{t("keys.may")}</legend>
            {SCOPES.map((scope) => (
              <label key={scope} class="check">
                <input type="checkbox" name="scopes" value={scope} defaultChecked />
                {t(`scope.${scope}`)} ({scope})
              </label>
            ))}
          </fieldset>
          <button type="submit" class="main">
            {t("keys.submit")}
          </button>
        </form>
        {made.value && <Made made={made.value} />}
      </section>
      <section class="panel" aria-labelledby="keys">
        <h2 id="keys">{t("keys.yours")}</h2>
        {keys.value?.data.length === 0 && <p>{t("keys.none")}</p>}
        <ul class="rows">
          {keys.value?.data.map((key) => (
            <Row key={key.id} apiKey={key} onRevoke={() => revoke(key)} />
          ))}
        </ul>
      </section>
    </main>
  );
}

interface RowProps {
  readonly apiKey: ApiKey;
  readonly onRevoke: () => void;
}

function Row({ apiKey, onRevoke }: RowProps) {
  const { name, prefix, last_four, created_at, last_used_at } = apiKey;
  const scopes = apiKey.scopes.join(", ");
  const created = <Moment at={created_at} />;
  return (
    <li>
      <div>
        <strong>{name}</strong>{" "}
        <code>
          {prefix}…{last_four}
        </code>
        <p class="note">
          {last_used_at
            ? rich("keys.used", { scopes, created, used: <Moment at={last_used_at} /> })
            : rich("keys.unused", { scopes, created })}
        </p>
      </div>
      <button type="button" aria-label={t("keys.revokeOne", { name })} onClick={onRevoke}>
        {t("keys.revoke")}
      </button>
    </li>
  );
}

function Made({ made }: { readonly made: NewKey }) {
  const command = `curl ${API.href}patterns -H "X-API-Key: ${made.secret}"`;
  return (
    <div class="made">
      <Secret label={t("keys.secret", { name: made.name })} secret={made.secret} />
      <p>{t("keys.try")}</p>
      <pre>{command}</pre>
    </div>
  );
}
