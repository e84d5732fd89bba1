/** The pictures that patterns are made from. */
import type { Source } from "../../server/actions/sources.ts";
import { attempt } from "../shared/attempt.ts";
import { confirm } from "./confirm.tsx";
import { ShowMore } from "./paged.tsx";
import { Picture } from "./picture.tsx";
import { href } from "./places.ts";
import { Search, useSearched } from "./searched.tsx";
import { request } from "./session.ts";

/** Longest side of a preview in pixels, at least where the picture is as large. */
const PREVIEW = 160;

export function Sources() {
  const sources = useSearched<Source>("sources");
  const remove = ({ id, ...source }: Source) =>
    confirm(`Delete ${nameOf({ id, ...source })}?`, "Delete", () => {
      void attempt("Deleting the picture …", async () => {
        await request("DELETE", `sources/${id}`);
        sources.put(id, null);
      });
    });
  return (
    <section class="panel" aria-labelledby="sources">
      <h2 id="sources">Pictures</h2>
      <Search label="Search pictures" onSearch={sources.search} />
      {sources.rows?.length === 0 &&
        (sources.text ? (
          <p>No picture is called “{sources.text}”.</p>
        ) : (
          <p>
            There is no picture yet. <a href={href("editor")}>The editor</a> takes your own.
          </p>
        ))}
      <ul class="products" aria-label="Pictures">
        {sources.rows?.map((source) => (
          <li key={source.id}>
            <Picture path={previewOf(source)} label={nameOf(source)} />
            <p class="note">
              {nameOf(source)}, {source.width} × {source.height}
            </p>
            <button
              type="button"
              aria-label={`Delete ${nameOf(source)}`}
              onClick={() => remove(source)}
            >
              Delete
            </button>
          </li>
        ))}
      </ul>
      <ShowMore list={sources} what="pictures" />
    </section>
  );
}

const nameOf = ({ id, preset, url }: Source) => `picture ${id} (${preset ?? url ?? "uploaded"})`;

/** Every second level is half as large. */
function previewOf({ id, width, height }: Source): string {
  const octaves = Math.max(0, Math.floor(Math.log2(Math.max(width, height) / PREVIEW)));
  return `sources/${id}/levels/${2 * octaves}`;
}
