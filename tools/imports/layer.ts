/** Files in `from` import nothing but what lies in `may`, and types of what lies in `mayTypes`. */
export interface Layer {
  readonly from: readonly string[];
  readonly may: readonly string[];
  readonly mayTypes?: readonly string[];
  readonly reason: string;
}

/** What is not ours; the package's own name and version count as such. */
export const OUTSIDE = ["npm:", "node:", "package.json"];
