/**
 * Scenes of products. A scene returns what is visible at a point of the picture; a map stores its
 * mask, shading, highlight and position on the print.
 */

/** Pixels of a mockup's side. Scenes are drawn in these units. */
export const MOCKUP_SIZE = 1600;

/** What is visible at one point. Colours are linear light with the primaries of sRGB, 1 is white. */
export interface Fragment {
  /** The visible smooth surface. An edge between different ones is antialiased. */
  piece: number;
  /** Lit colour of what is not printed: background, handle, frame, plain cloth. */
  red: number;
  green: number;
  blue: number;
  /** Share of the point covered by print, 0…1. */
  mask: number;
  /** Position on the print, in millimetres right of and below its top left corner. */
  u: number;
  v: number;
  /** Light on the print, which multiplies its colour; 1 keeps it. */
  shading: number;
  /** Specular light of the print's surface, added to the lit colour. */
  highlight: number;
}

/** Samples points of a picture, several for a pixel at edges. */
export interface Scene {
  /**
   * Fills in all of `fragment` for a point of the picture: (0, 0) is its top left corner,
   * (`MOCKUP_SIZE`, `MOCKUP_SIZE`) its bottom right.
   */
  sample(x: number, y: number, fragment: Fragment): void;
}

/** Creates a scene with its costly preparations, such as cloth simulation. Deterministic. */
export type SceneMaker = () => Scene;
