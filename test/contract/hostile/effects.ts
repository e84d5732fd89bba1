/** Effects with parameters at and beyond the limits of the catalogues. */
import type { Schema } from "../document.ts";
import type { Random } from "./random.ts";
import { hostileValue } from "./values.ts";

/** An entry of a catalogue of effects. */
export interface Effect {
  readonly id: string;
  readonly parameters: Readonly<Record<string, Schema>>;
}

/** The effects that bodies accept, by member name. */
export type Effects = Readonly<Record<"effects" | "surface_effects", readonly Effect[]>>;

/** Returns the body with one to three effects. */
export function withEffects(body: object, schema: Schema, all: Effects, random: Random): object {
  const ofSheet = "surface_effects" in (schema.properties ?? {});
  const name = ofSheet ? "surface_effects" : "effects";
  const uses = Array.from({ length: 1 + random.below(3) }, () => useOf(all[name], random));
  const sheet = {
    mode: random.pick(["surface", "surface", "aperiodic"]),
    surface_width: 24,
    surface_height: 16,
  };
  return { ...body, ...(ofSheet && sheet), [name]: uses };
}

function useOf(effects: readonly Effect[], random: Random): object {
  const { id, parameters } = random.pick(effects);
  const params = Object.entries(parameters)
    .filter(() => random.chance(0.6))
    .map(([name, schema]) => [name, parameter(schema, random)]);
  return { id, params: Object.fromEntries(params) };
}

/** Mostly valid values, because one invalid parameter refuses them all. */
function parameter(schema: Schema, random: Random): unknown {
  if (random.chance(0.2)) return hostileValue(schema, random);
  const { minimum, maximum, enum: words, type } = schema;
  if (words) return random.pick(words);
  if (type === "boolean") return random.chance(0.5);
  return random.pick([minimum, maximum, minimum, maximum, schema.default]);
}
