export const MILLIMETRES_PER_INCH = 25.4;

export const pixelsPerMillimetre = (dpi: number) => dpi / MILLIMETRES_PER_INCH;

/** Width and height, in pixels unless stated otherwise. */
export interface Size {
  readonly width: number;
  readonly height: number;
}
