/** Print files: how far they are, and their download. */
import type { Export } from "../../server/actions/exports.ts";
import { attempt } from "../shared/attempt.ts";
import { bytesOf } from "./bytes.ts";
import { download } from "./download.ts";
import { useLooks } from "./loaded.ts";
import { Moment } from "./moments.tsx";
import { type Paged, ShowMore, usePaged } from "./paged.tsx";
import { request } from "./session.ts";

/** Rows at first, and more with each wish for more. */
const ROWS = 20;

export function useExports(): Paged<Export> {
  const exports = usePaged<Export>("exports", ROWS);
  const { rows, reload } = exports;
  const isUnderWay = rows?.some(({ status }) => status === "queued" || status === "running");
  useLooks(rows, isUnderWay === true, reload);
  return exports;
}

export function Exports({ exports }: { readonly exports: Paged<Export> }) {
  const { rows, reload } = exports;
  return (
    <section class="panel" aria-labelledby="exports">
      <h2 id="exports">Print files</h2>
      {rows?.length === 0 && <p>There is none. Make one with “Download and print” at a pattern.</p>}
      <ul class="rows">
        {rows?.map((one) => (
          <Row key={one.id} made={one} onDelete={reload} />
        ))}
      </ul>
      <ShowMore list={exports} what="print files" />
    </section>
  );
}

interface RowProps {
  readonly made: Export;
  readonly onDelete: () => Promise<void>;
}

function Row({ made, onDelete }: RowProps) {
  const { id, pattern_id, status, progress, error, file, expires_at, preflight } = made;
  const { format, width_mm, height_mm } = made.request;
  const title = `Pattern ${pattern_id}, ${width_mm} × ${height_mm} mm, ${format.toUpperCase()}`;
  const remove = () =>
    void attempt("Deleting the file …", async () => {
      await request("DELETE", `exports/${id}`);
      await onDelete();
    });
  return (
    <li>
      <div>
        <strong>{title}</strong>
        {(status === "queued" || status === "running") && (
          <p>
            <progress aria-label={title} max={100} value={progress} /> {progress} %
          </p>
        )}
        <p class="note">
          {status === "queued" && "Waits for its turn."}
          {status === "failed" && `This file could not be made: ${error}.`}
          {file && expires_at && (
            <>
              {bytesOf(file.bytes)}, kept until <Moment at={expires_at} />.
            </>
          )}
        </p>
        {preflight.warnings.map(({ code, message }) => (
          <p key={code} class="note">
            Note: {message}
          </p>
        ))}
      </div>
      <div class="ways">
        {file && (
          <button
            type="button"
            aria-label={`Download ${title}`}
            onClick={() => download(`exports/${id}/file`, `pattern-${pattern_id}-${id}.${format}`)}
          >
            Download
          </button>
        )}
        {(status === "done" || status === "failed") && (
          <button type="button" aria-label={`Delete ${title}`} onClick={remove}>
            Delete
          </button>
        )}
      </div>
    </li>
  );
}
