/** A pattern on products. */
import { useSignal } from "@preact/signals";
import type { Mockup } from "../../server/actions/mockups.ts";
import { attempt } from "../shared/attempt.ts";
import { download, fileName } from "./download.ts";
import { useLoaded, useLooks } from "./loaded.ts";
import { Picture } from "./picture.tsx";
import { request } from "./session.ts";

interface MockupsProps {
  /** Its id. */
  readonly pattern: number;
  readonly name: string;
}

export function Mockups(props: MockupsProps) {
  const isOpen = useSignal(false);
  return (
    <details
      onToggle={({ currentTarget }) => {
        isOpen.value = currentTarget.open;
      }}
    >
      <summary>On products</summary>
      {isOpen.value && <Products {...props} />}
    </details>
  );
}

function Products({ pattern, name }: MockupsProps) {
  const path = `patterns/${pattern}/mockups`;
  const { value, reload } = useLoaded<{ readonly data: readonly Mockup[] }>(path);
  const all = value?.data ?? [];
  const drawn = all.filter(({ status }) => status !== "queued");
  const isDrawing = drawn.length < all.length;
  useLooks(value, isDrawing, reload);
  const order = () =>
    void attempt("Ordering mockups …", async () => {
      await request("POST", path, { json: {}, creates: true });
      await reload();
    });
  return (
    <>
      {isDrawing && (
        <p>
          <progress aria-label={`Mockups of ${name}`} max={all.length} value={drawn.length} />{" "}
          {drawn.length} of {all.length}
        </p>
      )}
      {value && !isDrawing && (
        <button type="button" class="wide" onClick={order}>
          {all.length === 0 ? "Show it on products" : "Draw them again"}
        </button>
      )}
      <ul class="products">
        {drawn.map(({ id, product, error, finished_at }) => (
          <li key={`${id} ${finished_at}`}>
            {error ? (
              <p class="note">
                {product}: {error}.
              </p>
            ) : (
              <>
                <Picture path={`mockups/${id}/image`} label={`${name} on a ${product}`} />
                <button
                  type="button"
                  aria-label={`Download ${name} on a ${product}`}
                  onClick={() =>
                    download(`mockups/${id}/image`, `${fileName(`${name} ${product}`)}.jpg`)
                  }
                >
                  Download
                </button>
              </>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
