export const MILLIMETRES_PER_INCH = 25.4;

/** Width and height, in pixels unless stated otherwise. */
export interface Size {
  readonly width: number;
  readonly height: number;
}
