/** Files in `from` import only files in `may`, and types of files in `mayTypes`. */
export interface Layer {
  readonly from: readonly string[];
  readonly may: readonly string[];
  readonly mayTypes?: readonly string[];
  readonly reason: string;
}

/** External modules, including this package's name and version. */
export const OUTSIDE = ["npm:", "node:", "package.json"];

/** Only `allowedImporters` import files in `internal`; all others use `publicApi`. */
export interface Boundary {
  readonly internal: readonly string[];
  readonly publicApi: readonly string[];
  readonly allowedImporters: readonly string[];
  readonly reason: string;
}

export const TEST_AND_BENCH = ["test/", "bench/"];
export const GALLERY = ["gallery/"];
