/** Tools that create and delete sources. */
import Type from "typebox";
import { listPresets } from "../../actions/catalogues.ts";
import { Id, strict } from "../../actions/fields.ts";
import { EXAMPLE_PNG, PictureText, pictureBytes } from "../../actions/received-picture.ts";
import {
  cleanUpPresets,
  createPresetSource,
  MAX_CLEAN_UP,
  PRESET_COST,
  PresetSource,
  Source,
  toSourceResponse,
  uploadSource,
} from "../../actions/sources.ts";
import { dataTool } from "../tool.ts";

export const uploadSourceFromBase64 = dataTool({
  name: "upload_source_from_base64",
  title: "Upload an image",
  description:
    "Stores a base64 image as a source. Call create_pattern with its `id` next. Accepts PNG, JPEG, WebP, AVIF, TIFF, GIF (first frame) and SVG, at most 12 MB and 50 megapixels. For an image on the web use create_pattern_from_url, which needs no base64.",
  input: {
    data: PictureText,
    filename: Type.Optional(
      Type.String({ maxLength: 1000, description: "A file name; it is not stored." }),
    ),
  },
  output: Source,
  behaviour: {},
  example: { data: EXAMPLE_PNG },
  async run({ services, account, input: { data }, signal }) {
    const bytes = pictureBytes(data, "/data");
    return toSourceResponse(await uploadSource(services, account.id, bytes, signal));
  },
});

const presets = listPresets()
  .map(({ name, description }) => `${name} (${description.replace(/\.$/, "")})`)
  .join("; ");

export const generatePreset = dataTool({
  name: "generate_preset",
  title: "Generate a source image",
  description: `Generates an image to create patterns from and stores it as a source. Call create_pattern with its \`id\` next. The same preset, seed and palette return the same image; without a seed each call returns another. Presets: ${presets}.`,
  input: PresetSource.properties,
  output: Source,
  behaviour: {},
  cost: PRESET_COST,
  example: { preset: "floral", seed: 7, palette: "lagoon" },
  async run({ services, account, input, signal }) {
    return toSourceResponse(await createPresetSource(services, account, input, signal));
  },
});

export const cleanupPresets = dataTool({
  name: "cleanup_presets",
  title: "Remove unused generated sources",
  description: `Deletes the sources that generate_preset created and no pattern uses, including very recent ones, the oldest first and at most ${MAX_CLEAN_UP} a call. Uploads, images from the web, patterns and their sources stay. Links to renders of deleted patterns stop working with their source. Call it with dry_run true first to see which would be deleted; it cannot be undone.`,
  input: {
    dry_run: Type.Boolean({
      default: false,
      description: "true: only report which sources would be deleted.",
    }),
  },
  output: Type.Object(
    {
      sources: Type.Array(Id, {
        description: "Ids of the sources that were deleted, or with dry_run would be.",
      }),
      deleted: Type.Integer({ minimum: 0, description: "Number of deleted sources." }),
    },
    strict,
  ),
  behaviour: { destructive: true, idempotent: true },
  example: { dry_run: true },
  async run({ services, account, input: { dry_run } }) {
    const gone = await cleanUpPresets(services, account.id, dry_run);
    return { sources: gone.map(({ id }) => id), deleted: dry_run ? 0 : gone.length };
  },
});
