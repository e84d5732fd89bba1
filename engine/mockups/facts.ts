/** Limits and media type of mockups. */

/** Bounds of a cell's edge on a product, in millimetres. */
export const MOCKUP_CELL = { minimum: 5, maximum: 2000 } as const;

export const MOCKUP_MEDIA_TYPE = "image/jpeg";
