/** A pattern on products. */
import type { Mockup } from "../../server/actions/mockups.ts";
import { attempt } from "../shared/attempt.ts";
import { t, titleOf } from "../shared/messages.ts";
import { Details } from "./details.tsx";
import { download, fileName } from "./download.ts";
import { useLoaded, useLooks } from "./loaded.ts";
import { Picture } from "./picture.tsx";
import { request } from "./session.ts";

interface MockupsProps {
  /** Its id. */
  readonly pattern: number;
  readonly name: string;
}

export const Mockups = (props: MockupsProps) => (
  <Details summary={t("mockups.title")}>{() => <Products {...props} />}</Details>
);

function Products({ pattern, name }: MockupsProps) {
  const path = `patterns/${pattern}/mockups`;
  const { value, reload } = useLoaded<{ readonly data: readonly Mockup[] }>(path);
  const all = value?.data ?? [];
  const drawn = all.filter(({ status }) => status !== "queued");
  const isDrawing = drawn.length < all.length;
  useLooks(value, isDrawing, reload);
  const order = () =>
    void attempt({ name: t("mockups.ordering"), subject: pattern }, async () => {
      await request("POST", path, { json: {}, creates: true });
      await reload();
    });
  return (
    <>
      {isDrawing && (
        <p>
          <progress
            aria-label={t("mockups.progress", { name })}
            max={all.length}
            value={drawn.length}
          />{" "}
          {t("mockups.drawn", { drawn: drawn.length, all: all.length })}
        </p>
      )}
      {value && !isDrawing && (
        <button type="button" class="wide" onClick={order}>
          {t(all.length === 0 ? "mockups.order" : "mockups.again")}
        </button>
      )}
      <ul class="products">
        {drawn.map((mockup) => (
          <Product key={`${mockup.id} ${mockup.finished_at}`} mockup={mockup} name={name} />
        ))}
      </ul>
    </>
  );
}

interface ProductProps {
  readonly mockup: Mockup;
  /** Of the pattern. */
  readonly name: string;
}

function Product({ mockup: { id, product, error }, name }: ProductProps) {
  const title = titleOf("product", product, product);
  if (error)
    return (
      <li>
        <p class="note">{t("mockups.failed", { product: title, error })}</p>
      </li>
    );
  const path = `mockups/${id}/image`;
  const label = t("mockups.one", { name, product: title });
  return (
    <li>
      <Picture path={path} label={label} />
      <button
        type="button"
        aria-label={t("shell.downloadOne", { name: label })}
        onClick={() => download(path, `${fileName(`${name} ${title}`)}.jpg`)}
      >
        {t("shell.download")}
      </button>
    </li>
  );
}
