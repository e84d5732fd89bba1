/** Print files: how far they are, and their download. */
import type { Export } from "../../server/actions/exports.ts";
import { attempt } from "../shared/attempt.ts";
import { formatNumber, t, titleOf } from "../shared/messages.ts";
import { bytesOf } from "./bytes.ts";
import { download } from "./download.ts";
import { useLooks } from "./loaded.ts";
import { Moment } from "./moments.tsx";
import { type Paged, ShowMore, usePaged } from "./paged.tsx";
import { rich } from "./rich.ts";
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
      <h2 id="exports">{t("exports.title")}</h2>
      {rows?.length === 0 && <p>{t("exports.none")}</p>}
      <ul class="rows">
        {rows?.map((one) => (
          <Row key={one.id} made={one} onDelete={reload} />
        ))}
      </ul>
      <ShowMore list={exports} what="prints" />
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
  const title = t("exports.one", {
    pattern: String(pattern_id),
    width: width_mm,
    height: height_mm,
    format: format.toUpperCase(),
  });
  const remove = () =>
    void attempt({ name: t("exports.deleting"), subject: id }, async () => {
      await request("DELETE", `exports/${id}`);
      await onDelete();
    });
  return (
    <li>
      <div>
        <strong>{title}</strong>
        {(status === "queued" || status === "running") && (
          <p>
            <progress aria-label={title} max={100} value={progress} />{" "}
            {formatNumber(progress / 100, { style: "percent" })}
          </p>
        )}
        <p class="note">
          {status === "queued" && t("exports.queued")}
          {status === "failed" && t("exports.failed", { error: String(error) })}
          {file &&
            expires_at &&
            rich("exports.kept", {
              size: bytesOf(file.bytes),
              until: <Moment at={expires_at} />,
            })}
        </p>
        {preflight.warnings.map(({ code, message }) => (
          <p key={code} class="note">
            {t("exports.note", { message: titleOf("warning", code, message) })}
          </p>
        ))}
      </div>
      <div class="ways">
        {file && (
          <button
            type="button"
            aria-label={t("shell.downloadOne", { name: title })}
            onClick={() => download(`exports/${id}/file`, `pattern-${pattern_id}-${id}.${format}`)}
          >
            {t("shell.download")}
          </button>
        )}
        {(status === "done" || status === "failed") && (
          <button type="button" aria-label={t("shell.deleteOne", { name: title })} onClick={remove}>
            {t("shell.delete")}
          </button>
        )}
      </div>
    </li>
  );
}
