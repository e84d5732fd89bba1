import { randomInt } from "node:crypto";
import Type, { type Static } from "typebox";
import { type Account, CreditsExhausted, type Source } from "../../db/index.ts";
import { ColoursOrNull, presets } from "../../engine/index.ts";
import { ownerOf } from "./accounts.ts";
import { strict } from "./resources/fields.ts";
import type { Services } from "./services.ts";
import { storeSource } from "./store-source.ts";

export const PRESET_COST = 1;

/** Edge of the generated picture in pixels: sharp under a tile of the default size. */
const PRESET_SIZE = 1024;

/** Seeds that are drawn here; short enough to be read out. */
const DRAWN_SEEDS = 2 ** 31;

export const PresetSource = Type.Object(
  {
    preset: Type.Enum(
      presets.map(({ id }) => id),
      { description: "Name of the preset." },
    ),
    seed: Type.Optional(
      Type.Integer({
        minimum: Number.MIN_SAFE_INTEGER,
        maximum: Number.MAX_SAFE_INTEGER,
        examples: [7],
        description: "The same seed gives the same picture. Left out, one is drawn by lot.",
      }),
    ),
    palette: ColoursOrNull(
      "Colours to draw with: the name of a palette, or 2 to 16 colours of your own. Left out, the seed decides.",
    ),
  },
  strict,
);

/**
 * Draws a preset and stores it as a source of the account. Throws CreditsExhausted, QuotaExceeded,
 * Overloaded, and what `signal` aborts with.
 */
export async function createPresetSource(
  services: Services,
  account: Account,
  { preset, seed = randomInt(DRAWN_SEEDS), palette }: Static<typeof PresetSource>,
  signal: AbortSignal,
): Promise<Source> {
  // The database has the last word; these only save drawing in vain.
  if (account.credits < PRESET_COST) throw new CreditsExhausted(PRESET_COST);
  await services.db.sources.checkQuotas(account.id, 0, PRESET_COST);
  const owner = ownerOf(account.id);
  const { engine } = services;
  const bytes = await engine.drawPreset(preset, seed, PRESET_SIZE, palette, signal, owner);
  const origin = { kind: "preset", preset, seed, url: null } as const;
  return storeSource(services, account.id, origin, bytes, PRESET_COST, signal);
}
