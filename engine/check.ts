/** What a design or a render asks for, checked before anything is loaded or waited for. */
import { Value } from "typebox/value";
import { type SurfaceEffect, surfaceEffectNamed, surfaceEffects } from "../shaders/catalog.ts";
import { type Complaint, InvalidRecipe } from "./errors.ts";
import { planeGroup } from "./geometry/plane-groups.ts";
import { type Design, type EffectUse, LIMITS, type RenderFields } from "./recipe.ts";

/** An effect with all its parameters, defaults filled in. */
export interface ChosenEffect {
  readonly effect: SurfaceEffect;
  readonly params: Readonly<Record<string, unknown>>;
}

/**
 * Checks that a design's lattice is one that its group can have. Throws `InvalidRecipe`: a
 * setting that changes nothing would be a surprise.
 */
export function checkDesign({ group, lattice }: Pick<Design, "group" | "lattice">): void {
  const kind = planeGroup(group).lattice;
  const complaints: Complaint[] = [];
  if (lattice.repeat !== "straight" && kind !== "oblique") {
    complaints.push({
      path: "/lattice/repeat",
      message: `${group} repeats straight; half_drop and brick are for p1 and p2`,
      expected: "straight",
      received: lattice.repeat,
    });
  }
  if (lattice.ratio !== 1 && (kind === "square" || kind === "hexagonal")) {
    complaints.push({
      path: "/lattice/ratio",
      message: `the cell of ${group} is ${kind}; a ratio is for the oblique and rectangular groups`,
      expected: "1",
      received: String(lattice.ratio),
    });
  }
  if (complaints.length > 0) throw new InvalidRecipe(complaints);
}

/**
 * Checks what the schema of the fields cannot say: sizes that belong together, effects and their
 * parameters. Throws `InvalidRecipe` with everything that is wrong.
 */
export function checkRender(fields: RenderFields): void {
  const complaints: Complaint[] = [];
  const pixels = checkSize(fields, complaints);
  if (fields.mode === "tile" && fields.surface_effects.length > 0) {
    complaints.push({
      path: "/surface_effects",
      message: 'surface effects need mode "surface": a tile has to repeat',
      expected: 'an empty list, or mode "surface"',
      received: `${fields.surface_effects.length} effects`,
    });
  }
  checkFormat(fields, pixels, complaints);
  fields.surface_effects.forEach((use, index) => {
    chooseEffect(use, `/surface_effects/${index}`, complaints);
  });
  if (complaints.length > 0) throw new InvalidRecipe(complaints);
}

/** The effects of a checked request. */
export function chosenEffects(fields: RenderFields): ChosenEffect[] {
  return fields.surface_effects.map((use) => chooseEffect(use, "", []) as ChosenEffect);
}

function checkSize(
  fields: RenderFields,
  complaints: Complaint[],
): { width: number; height: number } {
  if (fields.mode === "tile") return { width: fields.size, height: fields.size };
  const { minimum, maximum, maximumPixels } = LIMITS.surface;
  for (const name of ["surface_width", "surface_height"] as const) {
    if (fields[name] === undefined) {
      complaints.push({
        path: `/${name}`,
        message: `mode "surface" needs ${name}`,
        expected: `${minimum}…${maximum} pixels`,
        received: "nothing",
      });
    }
  }
  const width = fields.surface_width ?? 0;
  const height = fields.surface_height ?? 0;
  if (width * height > maximumPixels) {
    complaints.push({
      path: "/surface_height",
      message: `the sheet would have ${width} × ${height} = ${width * height} pixels`,
      expected: `at most ${maximumPixels} pixels`,
      received: String(width * height),
    });
  }
  return { width, height };
}

function checkFormat(
  { format }: RenderFields,
  { width, height }: { width: number; height: number },
  complaints: Complaint[],
): void {
  if (format === "png") return;
  const { wholePicturePixels, webpSide } = LIMITS;
  if (width * height > wholePicturePixels) {
    complaints.push({
      path: "/format",
      message: `${format} is made of a whole picture in memory; a picture of ${width} × ${height} pixels can be had as png`,
      expected: `png, or at most ${wholePicturePixels} pixels`,
      received: `${format} with ${width * height} pixels`,
    });
  }
  if (format === "webp" && Math.max(width, height) > webpSide) {
    complaints.push({
      path: "/format",
      message: `no side of a webp picture can be longer than ${webpSide} pixels`,
      expected: `png, jpeg, or sides of at most ${webpSide} pixels`,
      received: `webp of ${width} × ${height} pixels`,
    });
  }
}

/** Finds an effect and fills in its parameters; null and complaints where that fails. */
function chooseEffect(use: EffectUse, path: string, complaints: Complaint[]): ChosenEffect | null {
  const effect = surfaceEffectNamed(use.id);
  if (effect === undefined) {
    const ids = surfaceEffects.map(({ id }) => id).join(", ");
    complaints.push({
      path: `${path}/id`,
      message: `there is no such surface effect; there are: ${ids}`,
      expected: ids,
      received: inWords(use.id),
    });
    return null;
  }
  const params = Value.Default(effect.params, { ...use.params }) as Record<string, unknown>;
  const wrong = new Set(
    Value.Errors(effect.params, params)
      .map(({ instancePath }) => instancePath.slice(1))
      .filter((name) => name !== ""),
  );
  for (const name of wrong) {
    complaints.push({
      path: `${path}/params/${name}`,
      ...describeParameter(effect, name),
      received: inWords(params[name]),
    });
  }
  return wrong.size === 0 ? { effect, params } : null;
}

/** What an effect takes under a name. All parameters are numbers. */
function describeParameter(effect: SurfaceEffect, name: string) {
  const schema = effect.params.properties[name] as
    | { readonly type: string; readonly minimum?: number; readonly maximum?: number }
    | undefined;
  if (schema === undefined) {
    const names = Object.keys(effect.params.properties).join(", ");
    return { message: `${effect.id} has no such parameter; it has: ${names}`, expected: names };
  }
  const expected = `${schema.type} from ${schema.minimum} to ${schema.maximum}`;
  return { message: `${effect.id} takes ${name} as ${expected}`, expected };
}

/** A value in a few words, however large it is. */
function inWords(value: unknown): string {
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === "object" && value !== null) return "an object";
  const text = String(value);
  const short = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  return typeof value === "string" ? JSON.stringify(short) : short;
}
