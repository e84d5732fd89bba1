/** The pattern on a product, which follows the design: the shop's product, or one that a user chooses. */
import { signal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { HandoffProduct } from "../../server/actions/handoff-fields.ts";
import type { MockupOrder } from "../engine/protocol.ts";
import "./product.css";
import { call } from "../shared/api.ts";
import { formatNumber, t, titleOf } from "../shared/messages.ts";
import { shownDraft } from "./history.ts";
import { mockupFailure, showMockup } from "./mockup-engine.ts";
import { problemInWords } from "./problem-words.ts";
import { keep, kept } from "./storage.ts";
import { shownSource } from "./upload.ts";
import { session, tokenOf } from "./workspace.ts";

type Product = MockupOrder["product"] & { readonly title: string };

/** Sides of the pictures: small ones to choose from, drafts that follow a hand, and what is looked at. */
const SIDES = { small: "128", draft: "400", whole: "800" } as const;

/** All products; empty until they are needed. */
const products = signal<readonly Product[]>([]);

const CHOSEN = "product";

/** Id of the product that a user has chosen, now or before; empty for none. */
const chosen = signal(String(kept(CHOSEN) ?? ""));

function choose(id: string): void {
  chosen.value = id;
  keep(CHOSEN, id);
}

function productOf(): HandoffProduct | null {
  const opened = session.value;
  return opened !== null && "product" in opened ? opened.product : null;
}

/** Loads the products, once. */
async function loadProducts(): Promise<void> {
  if (products.value.length > 0) return;
  try {
    const options = { token: tokenOf() };
    products.value = (
      await call<{ readonly data: readonly Product[] }>("GET", "mockup-products", options)
    ).data;
  } catch (error) {
    mockupFailure.value = error;
  }
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

/** The shop's product with the pattern, or the one that the user has chosen. */
export function ProductPicture() {
  const ofShop = productOf();
  const id = ofShop?.mockup ?? chosen.value;
  const isWanted = id !== "" && shownSource.value !== null;
  useLayoutEffect(() => {
    if (isWanted) void loadProducts();
  }, [isWanted]);
  const product = products.value.find((one) => one.id === id);
  if (!isWanted || product === undefined) return null;
  const title = ofShop === null ? titleOf("product", id, product.title) : nameOf(ofShop);
  return (
    <div class="on-product">
      <MockupCanvas
        lane="product"
        product={product}
        label={t("product.picture", { product: title })}
      />
      <p class="hint" aria-live="polite">
        {mockupFailure.value !== null &&
          t("product.failed", { problem: problemInWords(mockupFailure.value) })}
      </p>
    </div>
  );
}

/** Whether the products are shown to choose from. */
const isOpen = signal(false);

/** Every product with the pattern, for users to choose one. A customer designs for the shop's. */
export function Products() {
  if (productOf()?.mockup !== undefined) return null;
  return (
    <section class="panel" aria-labelledby="products">
      <h2 id="products">{t("product.all")}</h2>
      <details
        onToggle={({ currentTarget }) => {
          isOpen.value = currentTarget.open;
          if (currentTarget.open) void loadProducts();
        }}
      >
        <summary>{t("product.choose")}</summary>
        {isOpen.value && <Choices />}
      </details>
    </section>
  );
}

function Choices() {
  return (
    <div class="thumbnails" role="radiogroup" aria-labelledby="products">
      <Choice product={null} />
      {products.value.map((product) => (
        <Choice key={product.id} product={product} />
      ))}
    </div>
  );
}

/** @param product null for none */
function Choice({ product }: { readonly product: Product | null }) {
  const { id = "" } = product ?? {};
  const title = product ? titleOf("product", id, product.title) : t("product.none");
  return (
    <label class={product ? "choice" : "choice none"}>
      <input
        type="radio"
        name="product"
        checked={chosen.value === id}
        onChange={() => choose(id)}
      />
      {product && <MockupCanvas lane={`choice ${id}`} product={product} />}
      <span>{title}</span>
    </label>
  );
}

interface MockupCanvasProps {
  readonly lane: string;
  readonly product: Product;
  /** What it shows; a canvas without a label is a small one beside its name. */
  readonly label?: string;
}

function MockupCanvas({ lane, product, label }: MockupCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { design } = shownDraft.value;
  const source = shownSource.value;
  useLayoutEffect(() => {
    if (source === null || canvas.current === null) return;
    const { id, print_mm, cell_mm } = product;
    const order = { lane, design, source, product: { id, print_mm, cell_mm } };
    if (label === undefined) showMockup({ ...order, side: SIDES.small }, canvas.current, null);
    else showMockup({ ...order, side: SIDES.whole }, canvas.current, SIDES.draft);
  }, [lane, design, source, product]);
  return <canvas ref={canvas} {...(label && { role: "img", "aria-label": label })} />;
}
