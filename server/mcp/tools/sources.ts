/** Tools that make and remove sources. */
import Type from "typebox";
import { listPresets } from "../../actions/catalogues.ts";
import { Id, strict } from "../../actions/fields.ts";
import { PICTURE_TEXT, PictureText, pictureBytes } from "../../actions/received-picture.ts";
import {
  CLEAN_UP_MAXIMUM,
  cleanUpPresets,
  createPresetSource,
  PRESET_COST,
  PresetSource,
  Source,
  showSource,
  uploadSource,
} from "../../actions/sources.ts";
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

const presets = listPresets()
  .map(({ name, description }) => `${name} (${description.replace(/\.$/, "")})`)
  .join("; ");

export const generatePreset = dataTool({
  name: "generate_preset",
  title: "Generate a source picture",
  description: `Draws a picture to make patterns of, where there is none to start from, and stores it as a source. Call create_pattern with its \`id\` next. The same preset, seed and palette give the same picture; without a seed each call gives another. Presets: ${presets}.`,
  input: PresetSource.properties,
  output: Source,
  behaviour: {},
  cost: PRESET_COST,
  example: { preset: "floral", seed: 7, palette: "lagoon" },
  async run({ services, account, input, signal }) {
    return showSource(await createPresetSource(services, account, input, signal));
  },
});

export const cleanupPresets = dataTool({
  name: "cleanup_presets",
  title: "Remove unused generated sources",
  description: `Removes the sources that generate_preset made and that no pattern uses, also those made a moment ago, the oldest first and at most ${CLEAN_UP_MAXIMUM} a call. Uploads, pictures from the web, patterns and what they stand on stay. Links to renders of deleted patterns end with their source. Call it with dry_run true first to see which would go; it cannot be undone.`,
  input: {
    dry_run: Type.Boolean({
      default: false,
      description: "true: only say which sources would be removed.",
    }),
  },
  output: Type.Object(
    {
      sources: Type.Array(Id, {
        description: "Numbers of the sources that were removed, or with dry_run would be.",
      }),
      deleted: Type.Integer({ minimum: 0, description: "How many were removed." }),
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
