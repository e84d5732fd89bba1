/** Messages between the app and the engine's workers. */
import type { Static } from "typebox";
import type { Backend, Design, RenderFields, Size } from "../../engine/core.ts";
import type { Product } from "../../server/actions/catalogues.ts";
import type { FailureCode } from "../../server/actions/failures.ts";
import type { MapName } from "../../server/actions/mockup-maps.ts";
import type { Source } from "../../server/actions/sources.ts";

/** Why something could not be drawn. */
export interface Failure {
  /**
   * The API's, or what a browser alone finds: the network does not answer, the page is older than the service, the
   * browser lacks a feature, and whatever else goes wrong while drawing.
   */
  readonly code: FailureCode | "unreachable" | "outdated" | "unsupported" | "drawing";
  /** In English. */
  readonly message: string;
}

/** How the worker gets at the session's sources. */
export interface Access {
  /** Base URL of the API. */
  readonly api: string;
  /** Empty on a page for anyone. */
  readonly token: string;
}

/** A source of the session, a file that is on its way there, or a small picture for anyone. */
export interface ShownSource extends Pick<Source, "id" | "sha256" | "width" | "height"> {
  readonly file?: Blob;
  /** URL of the small picture, which is a PNG. */
  readonly png?: string;
}

/** A request for a level of a source, and all coarser ones, with its reply. */
export interface LevelRequest {
  readonly number: number;
  readonly source: ShownSource;
  readonly level: number;
}
export type LevelReply =
  | { readonly number: number; readonly memory: ArrayBuffer }
  | { readonly number: number; readonly failure: Failure };

/** A picture to render. */
export interface Order {
  /** Where it is shown. A newer order of a lane replaces one that waits. */
  readonly lane: string;
  /** Counts the orders of all lanes. */
  readonly number: number;
  readonly design: Design;
  readonly source: ShownSource;
  /** As in render requests. */
  readonly fields: Partial<RenderFields>;
  /** By which its sides are shorter than ordered: 1, or less for a draft. */
  readonly scale: number;
  /** Whether a better picture of the same number will be ordered. */
  readonly isDraft: boolean;
}

/** The main colours of a source, as the API takes them for a palette. */
export type MainColours = { readonly colours: readonly string[] } | { readonly failure: Failure };

/** A picture's pixels. Their buffer goes to the page and back. */
export interface Pixels extends Size {
  /** Bytes of red, green, blue and alpha, row by row. */
  readonly buffer: ArrayBuffer;
}

/** Gives back the buffer of a picture that was shown. */
export interface ReturnedBuffer {
  readonly kind: "give back";
  readonly buffer: ArrayBuffer;
}

export type ToWorker =
  | ReturnedBuffer
  /** One worker renders, with the levels that another one makes and sends through the port. */
  | { readonly kind: "render levels"; readonly port: MessagePort }
  | { readonly kind: "make levels"; readonly access: Access; readonly port: MessagePort }
  | { readonly kind: "render"; readonly order: Order }
  /** Answered at the port with `MainColours`. */
  | { readonly kind: "find colours"; readonly source: ShownSource; readonly port: MessagePort }
  /** Answered at the port with what is wrong with each, as `problemOfDraft` returns it. */
  | {
      readonly kind: "check drafts";
      readonly drafts: readonly unknown[];
      readonly port: MessagePort;
    };

export type FromWorker =
  | {
      readonly kind: "picture";
      readonly order: Pick<Order, "lane" | "number" | "scale">;
      readonly picture: Pixels;
      /** Whether a better picture of this order follows. */
      readonly isDraft: boolean;
      /** How long it took. */
      readonly milliseconds: number;
      readonly backend: Backend;
    }
  | {
      readonly kind: "failure";
      readonly order: Pick<Order, "lane" | "number">;
      readonly failure: Failure;
    };

/** A product to draw with the pattern. Of a lane, the order with the highest number is drawn. */
export interface MockupOrder {
  /** Where it is shown. */
  readonly lane: string;
  readonly number: number;
  readonly design: Design;
  readonly source: ShownSource;
  readonly product: Pick<Static<typeof Product>, "id" | "print_mm" | "cell_mm">;
  /** Pixels of the picture's side, for which there is a map. */
  readonly side: MapName["side"];
  /** Whether a larger picture is ordered, too. */
  readonly isDraft: boolean;
}

/** How the worker gets at the maps of products. */
export interface MapAccess extends Access {
  readonly version: string;
}

export type ToMockupWorker =
  | ReturnedBuffer
  /** Levels of sources come through the port. */
  | { readonly kind: "start"; readonly maps: MapAccess; readonly port: MessagePort }
  | { readonly kind: "draw"; readonly order: MockupOrder };

export type FromMockupWorker = Pick<MockupOrder, "lane" | "number"> &
  (
    | { readonly kind: "picture"; readonly picture: Pixels; readonly isDraft: boolean }
    | { readonly kind: "failure"; readonly failure: Failure }
  );
