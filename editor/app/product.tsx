/** The shop's product: what it is, and how the pattern looks on it. */
import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { HandoffProduct } from "../../server/actions/handoff-fields.ts";
import type { Mockup } from "../../server/actions/mockups.ts";
import "./shop.css";
import { call, send } from "../shared/api.ts";
import { formatNumber, t, titleOf } from "../shared/messages.ts";
import { draft } from "./history.ts";
import { problemInWords } from "./problem-words.ts";
import { attempt, isBusy, savePattern, session, status, tokenOf } from "./workspace.ts";

/** Milliseconds between two looks at a mockup that is being drawn. */
const POLL = 1000;

/** The picture of the product, and the draft that it shows. */
const shown = signal<{ readonly picture: ImageBitmap; readonly of: unknown } | null>(null);

function productOf(): HandoffProduct | null {
  const opened = session.value;
  return opened !== null && "product" in opened ? opened.product : null;
}

/** "tote-bag" → "Tote bag". */
const nameOf = ({ title, mockup = "" }: HandoffProduct) =>
  title ??
  titleOf(
    "product",
    mockup,
    `${mockup.charAt(0).toUpperCase()}${mockup.slice(1).replaceAll("-", " ")}`,
  );

const millimetres = (value: number) => formatNumber(value, { style: "unit", unit: "millimeter" });

const isDrawing = signal(false);

/** The line under the page's title. */
export function ProductLine() {
  const product = productOf();
  if (product === null) return null;
  const { width_mm, height_mm } = product;
  const name = nameOf(product);
  const hasSize = width_mm !== undefined && height_mm !== undefined;
  const size = hasSize && t("product.size", { width: width_mm, height: millimetres(height_mm) });
  const words = [name, size].filter(Boolean).join(", ");
  return words && <p class="product">{t("product.on", { product: words })}</p>;
}

/** The product with the pattern, drawn by the server when the customer asks for it. */
export function ProductView() {
  const product = productOf();
  if (product?.mockup === undefined) return null;
  const { mockup } = product;
  const seen = shown.value;
  const isOutdated = seen !== null && seen.of !== draft.value;
  return (
    <section class="panel" aria-labelledby="product">
      <h2 id="product">{t("product.title")}</h2>
      <button
        type="button"
        class="wide"
        aria-disabled={isBusy.value || isDrawing.value}
        onClick={() => isBusy.value || isDrawing.value || look(mockup)}
      >
        {t("product.show")}
      </button>
      <p class="hint after" aria-live="polite">
        {isDrawing.value && t("product.drawing")}
        {isOutdated && !isDrawing.value && t("product.outdated")}
      </p>
      {seen && <Picture picture={seen.picture} title={nameOf(product)} />}
    </section>
  );
}

function Picture({ picture, title }: { readonly picture: ImageBitmap; readonly title: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (canvas.current === null) return;
    const { width, height } = picture;
    Object.assign(canvas.current, { width, height });
    canvas.current.getContext("2d")?.drawImage(picture, 0, 0);
    canvas.current.scrollIntoView({ block: "nearest" });
  }, [picture]);
  return (
    <canvas
      ref={canvas}
      class="mockup"
      role="img"
      aria-label={t("product.picture", { product: title })}
    />
  );
}

/** Draws the product with the draft. Only saving keeps the customer from other steps meanwhile. */
async function look(product: string): Promise<void> {
  const of = draft.value;
  let pattern = 0;
  await attempt(t("status.saving"), async () => {
    pattern = await savePattern();
  });
  if (pattern === 0) return;
  isDrawing.value = true;
  try {
    shown.value = { picture: await draw(pattern, product), of };
  } catch (error) {
    status.value = problemInWords(error);
  } finally {
    isDrawing.value = false;
  }
}

async function draw(pattern: number, product: string): Promise<ImageBitmap> {
  const token = tokenOf();
  const path = `patterns/${pattern}/mockups`;
  const json = { products: [product] };
  await call("POST", path, { token, json, creates: true });
  const { id, error } = await drawn(path, product);
  if (error !== null) throw new Error(error);
  const response = await send("GET", `mockups/${id}/image`, { token });
  return createImageBitmap(await response.blob());
}

/** Resolves with the mockup of a product once it is drawn, or has failed. */
async function drawn(path: string, product: string): Promise<Mockup> {
  for (;;) {
    const { data } = await call<{ readonly data: readonly Mockup[] }>("GET", path, {
      token: tokenOf(),
    });
    const mockup = data.find((one) => one.product === product);
    if (mockup === undefined) throw new Error(t("product.deleted"));
    if (mockup.status !== "queued") return mockup;
    await new Promise((resolve) => setTimeout(resolve, POLL));
  }
}
