/** Fields of renders that several tools take. */
import Type from "typebox";
import { RenderLinkFields } from "../../actions/create-render-link.ts";
import { LIMITS, RenderFields } from "../../actions/render-pattern.ts";

const { format, quality, dpi, rotation, offset, surface_effects, surface_width, surface_height } =
  RenderFields.properties;

const { expires_in } = RenderLinkFields.properties;

/** How a picture is written, and how long the link to it works. */
export const fileFields = {
  format,
  quality,
  dpi,
  expires_in: Type.Integer({
    ...expires_in,
    description:
      "Seconds from now until the link `full.url` stops working: 86400 is a day, 7776000 are 90 days.",
  }),
};

const { default: side } = LIMITS.tile;

/** A sheet of any size and what lies on it. */
export const sheetFields = {
  surface_width: Type.Integer({
    ...surface_width,
    default: side,
    description: "Width of the sheet in pixels.",
  }),
  surface_height: Type.Integer({
    ...surface_height,
    default: side,
    description: `Height of the sheet in pixels. The sheet may have ${LIMITS.surface.maximumPixels} pixels in all.`,
  }),
  rotation: Type.Number({
    ...rotation,
    description: "Degrees by which the pattern is turned clockwise on the sheet.",
  }),
  offset: Type.Object(offset.properties, {
    ...offset,
    description:
      "Where on the sheet the pattern's origin lies, in pixels from its top left corner.",
  }),
  surface_effects,
};
