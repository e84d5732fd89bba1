import Type from "typebox";
import { ReceivedPicture } from "../received-picture.ts";

/** A PNG of 8 × 8 pixels. */
export const PICTURE_TEXT =
  "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAHElEQVQI12N4czIGjtQcGuCIgYoSyBxkRVSUAAAZM17hF3vAlQAAAABJRU5ErkJggg==";

const isPicture = (value: unknown) =>
  value instanceof ReceivedPicture || (typeof value === "string" && value !== "");

/** A picture in JSON; `pictureBytes` takes its value. */
export const pictureText = (description: string) =>
  Type.Refine(
    Type.Unsafe<string | ReceivedPicture>({
      title: "a picture in base64",
      shownAs: { type: "string", minLength: 1 },
      examples: [PICTURE_TEXT],
      description,
    }),
    isPicture,
  );

/** A picture in JSON. */
export const PictureText = pictureText("The picture in base64.");
