import Type from "typebox";
import { pictureBytes } from "../../actions/received-picture.ts";
import { PICTURE_TEXT, PictureText } from "../../actions/resources/picture-text.ts";
import { Source, showSource } from "../../actions/resources/source.ts";
import { uploadSource } from "../../actions/upload-source.ts";
import { dataTool } from "../tool.ts";

export const uploadSourceFromBase64 = dataTool({
  name: "upload_source_from_base64",
  title: "Upload a picture",
  description:
    "Stores a picture that you hold as base64 as a source. Call create_pattern with its `id` next. Takes PNG, JPEG, WebP, AVIF, TIFF, GIF (first frame) and SVG, at most 12 MB and 50 megapixels. For a picture on the web use create_pattern_from_url, which needs no base64.",
  input: {
    data: PictureText,
    filename: Type.Optional(
      Type.String({ maxLength: 1000, description: "A name for you; it is not kept." }),
    ),
  },
  output: Source,
  behaviour: {},
  example: { data: PICTURE_TEXT },
  async run({ services, account, input: { data }, signal }) {
    const bytes = pictureBytes(data, "/data");
    return showSource(await uploadSource(services, account.id, bytes, signal));
  },
});
