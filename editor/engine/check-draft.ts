/** Checks drafts that come from outside: from the browser's storage, a link or a file. */
import Type from "typebox";
import { Value } from "typebox/value";
import {
  Aperiodic,
  checkDesign,
  checkRender,
  EffectUse,
  GROUP_NAMES,
  InvalidRecipe,
  Lattice,
  LIMITS,
  Motif,
  PatternCounterchange,
  PatternEffects,
  PatternPalette,
  PatternStyle,
  RenderFields,
  Seam,
  type ValidationIssue,
  validationIssuesOf,
} from "../../engine/core.ts";

const strict = { additionalProperties: false } as const;

const DraftFields = Type.Object(
  {
    source: Type.Union([
      Type.Null(),
      // What else the API says about a source does not change the picture.
      Type.Object({
        id: Type.Integer({ minimum: 1 }),
        sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }),
        width: Type.Integer({ minimum: 1 }),
        height: Type.Integer({ minimum: 1 }),
      }),
    ]),
    design: Type.Object(
      {
        group: Type.Enum([...GROUP_NAMES]),
        motif: Motif,
        lattice: Lattice,
        counterchange: Type.Optional(PatternCounterchange),
        seam: Seam,
        effects: PatternEffects,
        palette: PatternPalette,
        style: PatternStyle,
        background: Type.Union([Type.Null(), Type.String({ pattern: "^#[0-9a-fA-F]{6}$" })]),
      },
      strict,
    ),
    surfaceEffects: Type.Union([Type.Null(), Type.Array(EffectUse, { maxItems: LIMITS.effects })]),
    aperiodic: Aperiodic,
  },
  strict,
);

/** Of the sheet on which surface effects are checked, in pixels. */
const SIDE = 512;

/** Returns what is wrong with a draft, in words; null if it can be used. */
export function problemOfDraft(draft: unknown): string | null {
  const issues = validationIssuesOf(DraftFields, draft, Value.Errors(DraftFields, draft));
  if (issues.length > 0) return inWords(issues);
  const { design, aperiodic, surfaceEffects } = draft as Type.Static<typeof DraftFields>;
  try {
    // Those that were kept before there were counterchanges have none.
    checkDesign({ counterchange: null, ...design });
    checkRender({
      ...Value.Create(RenderFields),
      mode: "aperiodic",
      size: SIDE,
      aperiodic,
      ...(surfaceEffects && { surface_effects: surfaceEffects }),
    });
    return null;
  } catch (error) {
    if (!(error instanceof InvalidRecipe)) throw error;
    return inWords(error.issues);
  }
}

/** `/design/motif/x` is "motif x". */
const inWords = (issues: readonly ValidationIssue[]) =>
  issues
    .map(({ path, message }) => {
      const [, ...names] = path.replace(/^\/design\//, "/").split("/");
      return [names.join(" "), message].filter(Boolean).join(": ");
    })
    .join("; ");
