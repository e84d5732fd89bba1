/** Choice of the picture: upload, address, and the session's own sources. */
import type { Source } from "../../server/actions/sources.ts";
import { call } from "../shared/api.ts";
import { t, titleOf } from "../shared/messages.ts";
import { change, draft } from "./history.ts";
import { nameOfSource, SOURCE_THUMBNAIL, SourcePicture } from "./source-picture.tsx";
import { takeFile } from "./take-file.ts";
import { addSource, attempt, presets, sources, tokenOf } from "./workspace.ts";

export function Pictures() {
  return (
    <section class="panel" aria-labelledby="pictures">
      <h2 id="pictures">{t("pictures.title")}</h2>
      <label class="field">
        {t("pictures.upload")}
        <input
          type="file"
          accept="image/*"
          onChange={({ currentTarget }) => upload(currentTarget)}
        />
      </label>
      <p class="hint">{t("pictures.drop")}</p>
      <form class="field" onSubmit={fetchPicture}>
        <label>
          {t("pictures.address")}
          <input type="url" name="url" placeholder="https://" required />
        </label>
        <button type="submit">{t("pictures.fetch")}</button>
      </form>
      <details open={sources.value.length === 0}>
        <summary>{t("pictures.presets")}</summary>
        <div class="thumbnails">
          {presets.value.map(({ name, title }) => (
            <button key={name} type="button" class="choice" onClick={() => drawPreset(name)}>
              <img src={new URL(`../presets/${name}`, import.meta.url).href} alt="" />
              {titleOf("preset", name, title)}
            </button>
          ))}
        </div>
      </details>
      {sources.value.length > 0 && (
        <div class="thumbnails" role="radiogroup" aria-label={t("pictures.own")}>
          {sources.value.map((source) => (
            <Choice key={source.id} source={source} />
          ))}
        </div>
      )}
    </section>
  );
}

function Choice({ source }: { readonly source: Source }) {
  return (
    <label class="choice">
      <input
        type="radio"
        name="source"
        aria-label={nameOfSource(source)}
        checked={draft.value.source?.id === source.id}
        onChange={() => change({ source })}
      />
      <SourcePicture source={source} side={SOURCE_THUMBNAIL} />
    </label>
  );
}

function upload(input: HTMLInputElement): void {
  const file = input.files?.[0];
  if (file === undefined) return;
  void takeFile(file).finally(() => {
    // The same file may be chosen again.
    input.value = "";
  });
}

/** The seed of the pictures that are shown. */
const SEED = 1;

function drawPreset(preset: string): void {
  const json = { preset, seed: SEED };
  const draw = () =>
    addSource(call<Source>("POST", "sources/presets", { token: tokenOf(), json, creates: true }));
  void attempt(t("status.drawing"), draw, preset);
}

function fetchPicture(event: SubmitEvent): void {
  event.preventDefault();
  const json = Object.fromEntries(new FormData(event.target as HTMLFormElement));
  void attempt(t("status.fetching"), () =>
    addSource(call<Source>("POST", "sources/url", { token: tokenOf(), json, creates: true })),
  );
}
