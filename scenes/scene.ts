/**
 * A product that shows a pattern: a photograph that is computed instead of taken. A scene says what
 * lies at a point of the picture; mask, shading, highlight and the way back onto the print are the
 * layers of its map.
 */

/** Pixels of a mockup's side. Scenes are drawn in these units. */
export const MOCKUP_SIZE = 1600;

/** What is seen at one point. Colours are linear light with the primaries of sRGB, 1 is white. */
export interface Fragment {
  /** The smooth surface that is seen. Where neighbours differ there is an edge to be smoothed. */
  piece: number;
  /** Colour, already lit, of what is not printed: background, handle, frame, plain cloth. */
  red: number;
  green: number;
  blue: number;
  /** Share of the point that print covers, 0…1. */
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
  look(x: number, y: number, fragment: Fragment): void;
}

/** Creates a scene; what is costly to prepare (relief of cloth) is made here. Deterministic. */
export type SceneMaker = () => Scene;
