/** Checks designs and render requests before anything is loaded or queued. */

import type { TObject } from "typebox";
import { Value } from "typebox/value";
import {
  type EffectSheet,
  type PatternEffect,
  patternEffectNamed,
  patternEffects,
  type SurfaceEffect,
  styleNamed,
  surfaceEffectNamed,
  surfaceEffects,
} from "../../shaders/catalog.ts";
import { InvalidRecipe, type ValidationIssue } from "../errors.ts";
import { pixelsPerMillimetre, type Size } from "../size.ts";
import { friezeIssues } from "./check-frieze.ts";
import { type GroupFields, groupIssues } from "./check-group.ts";
import { rosetteIssues } from "./check-rosette.ts";
import {
  type Checked,
  type Design,
  type EffectUse,
  FORMATS,
  type Frieze,
  formatFacts,
  holds,
  LIMITS,
  type RenderFields,
} from "./index.ts";
import { describeValue, validationIssuesOf } from "./validation-issues.ts";

/** A step of an effect chain: an effect and its parameters, including defaults. */
export interface EffectStep<Effect> {
  readonly effect: Effect;
  readonly params: Readonly<Record<string, unknown>>;
}

/**
 * Checks what a design's schemas cannot express: that the lattice's settings and the
 * counterchange apply to the group, and that the effects and their parameters exist. Throws `InvalidRecipe` with all issues.
 */
export function checkDesign<Fields extends Pick<Design, GroupFields | "effects">>(
  design: Fields,
): Checked<Fields> {
  const issues = groupIssues(design);
  design.effects.forEach((use, index) => {
    patternStep(use, `/effects/${index}`, issues);
  });
  if (issues.length > 0) throw new InvalidRecipe(issues);
  return design as Checked<Fields>;
}

/**
 * Checks what the schema cannot express: combinations of sizes, effects and their parameters. Throws
 * `InvalidRecipe` with all issues.
 */
export function checkRender(fields: RenderFields): Checked<RenderFields> {
  const issues: ValidationIssue[] = [];
  const size = checkSize(fields, issues);
  const { mode, frieze, surface_effects = [] } = fields;
  if (mode === "frieze") issues.push(...friezeIssues(frieze, sheetSize(fields)));
  if (mode === "rosette") {
    issues.push(...rosetteIssues(fields, sheetSize(fields), rosetteDiameter(fields), "/cell"));
  }
  if (mode === "tile" && surface_effects.length > 0) {
    issues.push({
      path: "/surface_effects",
      message: "a tile has no surface effects, because it has to repeat",
      expected: 'an empty list, or mode "surface", "aperiodic", "frieze" or "rosette"',
      received: `${surface_effects.length} effects`,
    });
  }
  issues.push(
    ...formatIssues(fields, size),
    ...surfaceIssues(surface_effects, effectSheet(size, fields.dpi)),
  );
  if (issues.length > 0) throw new InvalidRecipe(issues);
  return fields as Checked<RenderFields>;
}

/** Returns what is wrong with a request's surface effects on a sheet. */
export function surfaceIssues(uses: readonly EffectUse[], sheet: EffectSheet): ValidationIssue[] {
  const issues: ValidationIssue[] = [];
  const chosen = uses.map((use, index) => surfaceStep(use, `/surface_effects/${index}`, issues));
  checkReach(chosen, sheet, issues);
  return issues;
}

/** Returns the pattern effects of a checked design in order: its style's, its own, its palette. */
export function patternStepsOf({
  style,
  effects,
  palette,
}: Pick<Design, "style" | "effects" | "palette">): EffectStep<PatternEffect>[] {
  const chosenStyle = style === null ? undefined : styleNamed(style);
  const colours = palette ?? chosenStyle?.palette ?? null;
  const mapping = colours === null ? [] : [{ id: "palette_map", params: { palette: colours } }];
  const uses: readonly EffectUse[] = [...(chosenStyle?.effects ?? []), ...effects, ...mapping];
  return uses.map((use) => patternStep(use, "", []) as EffectStep<PatternEffect>);
}

/** Returns the surface effects of a checked request, by default those of its design's style. */
export function surfaceStepsOf(
  { style }: Pick<Design, "style">,
  { mode, surface_effects }: RenderFields,
): EffectStep<SurfaceEffect>[] {
  if (mode === "tile") return [];
  const ofStyle = style === null ? undefined : styleNamed(style)?.surfaceEffects;
  const uses: readonly EffectUse[] = surface_effects ?? ofStyle ?? [];
  return uses.map((use) => surfaceStep(use, "", []) as EffectStep<SurfaceEffect>);
}

/** Returns a sheet of this size at a resolution in pixels per inch. */
export const effectSheet = ({ width, height }: Size, dpi: number): EffectSheet => ({
  width,
  height,
  pixelsPerMillimetre: pixelsPerMillimetre(dpi),
});

/** Returns how many pixels around each pixel an effect reads on a sheet. */
export const reachOf = (
  { effect, params }: EffectStep<SurfaceEffect>,
  sheet: EffectSheet,
): number => effect.reach?.(params, sheet) ?? 0;

/** Returns the size of any sheet but a tile in pixels. */
export const sheetSize = ({ size, surface_width, surface_height }: RenderFields): Size => ({
  width: surface_width ?? size,
  height: surface_height ?? size,
});

/** Returns the strip of a checked render in mode frieze, with its length and height in pixels. */
export function stripOf(fields: RenderFields): Required<Frieze> {
  const { width: length, height } = sheetSize(fields);
  return { length, height, ...(fields.frieze as Frieze) };
}

/** Returns the size of one repeat of a frieze in pixels. */
export function friezeRepeat(fields: RenderFields): Size {
  const { repeats, length, height } = stripOf(fields);
  return { width: length / repeats, height };
}

/** Returns the diameter of a rosette in pixels. */
export function rosetteDiameter(fields: RenderFields): number {
  const { width, height } = sheetSize(fields);
  return fields.cell ?? Math.min(width, height);
}

function checkSize(fields: RenderFields, issues: ValidationIssue[]): Size {
  const { minimum, maximum, maximumPixels } = LIMITS.surface;
  for (const name of ["surface_width", "surface_height"] as const) {
    if (fields.mode === "surface" && fields[name] === undefined) {
      issues.push({
        path: `/${name}`,
        message: `mode "surface" needs ${name}`,
        expected: `${minimum}…${maximum} pixels`,
        received: "nothing",
      });
    }
  }
  // The square around a tile of any shape.
  if (fields.mode === "tile") return { width: fields.size, height: fields.size };
  const { width, height } = sheetSize(fields);
  if (width * height > maximumPixels) {
    issues.push({
      path: "/surface_height",
      message: `the sheet would have ${width} × ${height} = ${width * height} pixels`,
      expected: `at most ${maximumPixels} pixels`,
      received: String(width * height),
    });
  }
  return { width, height };
}

/** Returns what is wrong with the format for a picture of this size in pixels. */
export function formatIssues(
  { format }: Pick<RenderFields, "format">,
  { width, height }: Size,
): ValidationIssue[] {
  if (holds(format, width, height)) return [];
  const { maximumPixels = LIMITS.surface.maximumPixels, maximumSide = LIMITS.surface.maximum } =
    formatFacts[format];
  const others = FORMATS.filter((other) => holds(other, width, height)).join(", ");
  const issue = (message: string, expected: string, received: string): ValidationIssue => ({
    path: "/format",
    message: `${message}; one of ${width} × ${height} pixels can be had as ${others}`,
    expected: `${others}, or ${expected}`,
    received: `${format} ${received}`,
  });
  const issues: ValidationIssue[] = [];
  if (width * height > maximumPixels) {
    issues.push(
      issue(
        `a picture in ${format} is made of the whole of it in memory`,
        `at most ${maximumPixels} pixels`,
        `with ${width * height} pixels`,
      ),
    );
  }
  if (Math.max(width, height) > maximumSide) {
    issues.push(
      issue(
        `no side of a picture in ${format} can be longer than ${maximumSide} pixels`,
        `sides of at most ${maximumSide} pixels`,
        `of ${width} × ${height} pixels`,
      ),
    );
  }
  return issues;
}

/** Bounds the total reach: each effect buffers the rows it reads, and the first row waits for all. */
function checkReach(
  chosen: readonly (EffectStep<SurfaceEffect> | null)[],
  sheet: EffectSheet,
  issues: ValidationIssue[],
): void {
  const reaches = chosen.map((one) => (one === null ? 0 : reachOf(one, sheet)));
  reaches.forEach((reach, index) => {
    if (reach <= LIMITS.effectReach) return;
    issues.push({
      path: `/surface_effects/${index}`,
      message: `the effect would read ${reach} rows above and below each pixel`,
      expected: `at most ${LIMITS.effectReach}: smaller lengths or a lower dpi`,
      received: String(reach),
    });
  });
  const total = reaches.reduce((sum, reach) => sum + reach, 0);
  if (total <= LIMITS.surfaceReach) return;
  issues.push({
    path: "/surface_effects",
    message: `the total reach of the surface effects is ${total} pixels (${reaches.join(" + ")})`,
    expected: `effects with a total reach of at most ${LIMITS.surfaceReach} pixels`,
    received: `${total} pixels`,
  });
}

/** Common part of pattern effects and surface effects. */
interface CatalogueEffect {
  readonly id: string;
  readonly params: TObject;
  issues?(params: Readonly<Record<string, unknown>>): ValidationIssue[];
}

const patternStep = (use: EffectUse, path: string, issues: ValidationIssue[]) =>
  effectStep("effect", patternEffectNamed(use.id), patternEffects, use, path, issues);

const surfaceStep = (use: EffectUse, path: string, issues: ValidationIssue[]) =>
  effectStep("surface effect", surfaceEffectNamed(use.id), surfaceEffects, use, path, issues);

/** Returns an effect with default parameters filled in, or null, with issues, if it is invalid. */
function effectStep<E extends CatalogueEffect>(
  kind: string,
  effect: E | undefined,
  all: readonly E[],
  use: EffectUse,
  path: string,
  issues: ValidationIssue[],
): EffectStep<E> | null {
  if (effect === undefined) {
    const ids = all.map(({ id }) => id).join(", ");
    issues.push({
      path: `${path}/id`,
      message: `there is no such ${kind}; there are: ${ids}`,
      expected: ids,
      received: describeValue(use.id),
    });
    return null;
  }
  const params = Value.Default(effect.params, { ...use.params }) as Record<string, unknown>;
  const unfit = validationIssuesOf(effect.params, params, Value.Errors(effect.params, params));
  const wrong = unfit.length > 0 ? unfit : (effect.issues?.(params) ?? []);
  issues.push(...wrong.map((issue) => ({ ...issue, path: `${path}/params${issue.path}` })));
  return wrong.length === 0 ? { effect, params } : null;
}
