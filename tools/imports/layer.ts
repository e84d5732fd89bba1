/** Files in `from` import only files in `may`, and types of files in `mayTypes`. */
export interface Layer {
  readonly from: readonly string[];
  readonly may: readonly string[];
  readonly mayTypes?: readonly string[];
  readonly reason: string;
}

/** External modules, including this package's name and version. */
export const OUTSIDE = ["npm:", "node:", "package.json"];
