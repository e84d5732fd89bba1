import {
  createPresetSource,
  PRESET_COST,
  PresetSource,
} from "../../actions/create-preset-source.ts";
import { listPresets } from "../../actions/list-presets.ts";
import { Source, showSource } from "../../actions/resources/source.ts";
import { dataTool } from "../tool.ts";

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
