import Type from "typebox";

/** A PNG of 8 × 8 pixels. */
export const PICTURE_TEXT =
  "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAHElEQVQI12N4czIGjtQcGuCIgYoSyBxkRVSUAAAZM17hF3vAlQAAAABJRU5ErkJggg==";

/** A picture in JSON. */
export const PictureText = Type.String({
  minLength: 1,
  examples: [PICTURE_TEXT],
  description: "The picture in base64.",
});
