/** Choice of the picture: upload, address, and the session's own sources. */
import { useEffect, useRef } from "preact/hooks";
import type { Source } from "../../server/actions/sources.ts";
import { call, send } from "../shared/api.ts";
import { change, draft } from "./history.ts";
import { addSource, attempt, presets, sources, tokenOf } from "./workspace.ts";

/** Longest side of a thumbnail in pixels, at most. */
const THUMBNAIL = 160;

export function Pictures() {
  return (
    <section class="panel" aria-labelledby="pictures">
      <h2 id="pictures">Picture</h2>
      <label class="field">
        Your picture
        <input
          type="file"
          accept="image/*"
          onChange={({ currentTarget }) => upload(currentTarget)}
        />
      </label>
      <form class="field" onSubmit={fetchPicture}>
        <label>
          Address of a picture
          <input type="url" name="url" placeholder="https://" required />
        </label>
        <button type="submit">Fetch</button>
      </form>
      <details open={sources.value.length === 0}>
        <summary>Pictures to start from</summary>
        <div class="thumbnails">
          {presets.value.map(({ name, title }) => (
            <button key={name} type="button" class="choice" onClick={() => drawPreset(name)}>
              <img src={new URL(`../presets/${name}`, import.meta.url).href} alt="" />
              {title}
            </button>
          ))}
        </div>
      </details>
      {sources.value.length > 0 && (
        <div class="thumbnails" role="radiogroup" aria-label="Pictures">
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
        aria-label={nameOf(source)}
        checked={draft.value.source?.id === source.id}
        onChange={() => change({ source })}
      />
      <Thumbnail source={source} />
    </label>
  );
}

const nameOf = ({ id, preset, url }: Source) => preset ?? url ?? `Picture ${id}`;

/** Settles when every thumbnail so far is drawn. */
let drawn = Promise.resolve();

function Thumbnail({ source }: { readonly source: Source }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const { current } = canvas;
    // One after the other: a session may have few requests in flight.
    if (current !== null) drawn = drawn.then(() => drawThumbnail(source, current));
  }, [source]);
  return <canvas ref={canvas} width={1} height={1} />;
}

/** Draws a level of the source. A picture that cannot be had stays blank. */
async function drawThumbnail(source: Source, canvas: HTMLCanvasElement): Promise<void> {
  const octaves = Math.ceil(Math.log2(Math.max(source.width, source.height) / THUMBNAIL));
  const path = `sources/${source.id}/levels/${2 * Math.max(0, octaves)}`;
  try {
    const response = await send("GET", path, { token: tokenOf() });
    const picture = await createImageBitmap(await response.blob());
    Object.assign(canvas, { width: picture.width, height: picture.height });
    canvas.getContext("bitmaprenderer")?.transferFromImageBitmap(picture);
  } catch {
    canvas.hidden = true;
  }
}

function upload(input: HTMLInputElement): void {
  const file = input.files?.[0];
  if (file === undefined) return;
  const form = new FormData();
  form.append("file", file);
  void attempt("Uploading your picture …", () =>
    addSource(call<Source>("POST", "sources/upload", { token: tokenOf(), form, creates: true })),
  ).finally(() => {
    // The same file may be chosen again.
    input.value = "";
  });
}

/** The seed of the pictures that are shown. */
const SEED = 1;

function drawPreset(preset: string): void {
  const json = { preset, seed: SEED };
  void attempt("Drawing the picture …", () =>
    addSource(call<Source>("POST", "sources/presets", { token: tokenOf(), json, creates: true })),
  );
}

function fetchPicture(event: SubmitEvent): void {
  event.preventDefault();
  const json = Object.fromEntries(new FormData(event.target as HTMLFormElement));
  void attempt("Fetching the picture …", () =>
    addSource(call<Source>("POST", "sources/url", { token: tokenOf(), json, creates: true })),
  );
}
