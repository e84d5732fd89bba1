import { readFileSync } from "node:fs";

export interface IccProfile {
  /** Description that programs show. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/**
 * sRGB (IEC 61966-2-1, primaries adapted to D50 by the Bradford transform) as an ICC profile of version
 * 2.1, which every reader understands: its curve is a table of all 8-bit values. Public domain (CC0).
 */
export const SRGB_PROFILE: IccProfile = {
  name: "sRGB IEC61966-2.1",
  bytes: readFileSync(new URL("srgb.icc", import.meta.url)),
};
