/** Messages between the app and the engine's worker. */
import type { Backend, Design, RenderFields } from "../../engine/core.ts";
import type { Source } from "../../server/actions/sources.ts";

/** How the worker gets at the session's sources. */
export interface Access {
  /** Base URL of the API. */
  readonly api: string;
  /** Empty on a page for anyone. */
  readonly token: string;
}

/** A tile to render. */
export interface Order {
  /** Where it is shown. A newer order of a lane replaces one that waits. */
  readonly lane: string;
  /** Counts the orders of all lanes. */
  readonly number: number;
  readonly design: Design;
  readonly source: Pick<Source, "id" | "sha256" | "width" | "height"> & {
    /** Address of its PNG, where it is no source of the session but a small picture for anyone. */
    readonly png?: string;
  };
  /** Edge in pixels. */
  readonly size: number;
  /** Cells of a hexagonal group, as in render requests. */
  readonly hexCells: RenderFields["hex_cells"];
}

export type ToWorker =
  | { readonly kind: "start"; readonly access: Access }
  | { readonly kind: "render"; readonly order: Order };

export type FromWorker =
  | {
      readonly kind: "picture";
      readonly order: Pick<Order, "lane" | "number">;
      readonly picture: ImageBitmap;
      readonly backend: Backend;
    }
  | {
      readonly kind: "failure";
      readonly order: Pick<Order, "lane" | "number">;
      readonly message: string;
    };
