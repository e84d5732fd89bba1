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
  /** Where on the print, in millimetres right of and below its top left corner. */
  u: number;
  v: number;
  /** Light that falls on the print; multiplies its colour. 1 shows it as the file has it. */
  shading: number;
  /** Light that the surface of the print throws back: gloss, added to the lit colour. */
  highlight: number;
}

/** What is asked for every point of a picture, several times a pixel where there are edges. */
export interface Scene {
  /**
   * Fills in all of `fragment` for a point of the picture: (0, 0) is its top left corner,
   * (`MOCKUP_SIZE`, `MOCKUP_SIZE`) its bottom right.
   */
  sample(x: number, y: number, fragment: Fragment): void;
}

/** Creates a scene; what is costly to prepare (relief of cloth) is made here. Deterministic. */
export type SceneMaker = () => Scene;
