/** Width and height, in pixels unless stated otherwise. */
export interface Size {
  readonly width: number;
  readonly height: number;
}
