/**
 * The contents of the gallery: every entry of the catalogues, one chapter for each catalogue, after
 * the picture of the README.
 */
import { Value } from "typebox/value";
import {
  APERIODIC_KINDS,
  Aperiodic,
  COUNTERCHANGES,
  checkDesign,
  type Engine,
  FRIEZE_NAMES,
  GROUP_NAMES,
  palettes,
  patternEffects,
  plainDesign,
  presets,
  products,
  RenderFields,
  Seam,
  type SourceBytes,
  styles,
  surfaceEffects,
} from "../engine/index.ts";
import type { Layout } from "./contact-sheet.ts";
import { type Entry, pattern, sheetOf, sourceOf } from "./entries.ts";

export interface Chapter {
  /** Also the file's name. */
  readonly id: string;
  readonly title: string;
  readonly layout: Layout;
  readonly entries: readonly Entry[];
}

const square = (columns: number): Layout => ({ width: 320, height: 320, columns });
const LANDSCAPE: Layout = { width: 480, height: 360, columns: 4 };

const STRIP: Layout = { width: 1440, height: 180, columns: 1 };

const SMALL: Layout = { width: 160, height: 160, columns: 8 };

const README: Layout = { width: 340, height: 340, columns: 3 };

/** Pixels of a plate's cell: a few repeats, with a recognisable motif. */
const CELL = 160;

/** Returns a pattern whose effect `flat_inks` has these parameters. */
const inInks = (caption: string, params: Record<string, unknown>): Entry =>
  pattern(
    caption,
    { group: "p4m", effects: [{ id: "flat_inks", params }] },
    sheetOf(square(4), square(4).width),
  );

const named = (colours: string) => ({
  inks: colours.split(" ").map((colour) => ({ name: colour, colour })),
});

const EYES = "#857434";
const TWELVE =
  "#ffffff #101820 #c8102e #ff8200 #ffd100 #00843d #0057b8 #5c068c #8b5b29 #f4b8c5 #a7a8aa #1d2a5d";

const SEEDS = [1, 2] as const;

/** Groups whose domains have edges that are no mirrors. */
const SEAMED = ["p2", "pgg", "p4", "p3", "p31m"] as const;

/** Presets under a group, as the README shows them. */
const GENERATED = [
  ["p4", "floral", 3],
  ["p4m", "geometric", 1],
  ["p6m", "floral", 5],
  ["p6", "voronoi", 3],
  ["pgg", "floral", 2],
  ["p31m", "geometric", 6],
] as const;

/** Fills of aperiodic sheets, with their captions. */
const APERIODIC_FILLS: readonly [string, Partial<Aperiodic>][] = [
  ["image", {}],
  ["varied", { fill: "varied" }],
  ["parts", { variation: "parts" }],
];

/** In drawing order. */
export const chapters: readonly Chapter[] = [
  {
    id: "six-groups",
    title: "Generated pictures under six groups",
    layout: README,
    entries: GENERATED.map(([group, preset, seed]) => ({
      caption: `${preset}, ${group}`,
      async draw(engine: Engine) {
        const bytes = await engine.drawPreset(preset, seed, 1024);
        return pattern("", { group }, sheetOf(README, 1.5 * CELL)).draw(engine, sourceOf(bytes));
      },
    })),
  },
  {
    id: "groups",
    title: "The 17 wallpaper groups",
    layout: square(6),
    entries: GROUP_NAMES.map((group) => pattern(group, { group }, sheetOf(square(6), CELL))),
  },
  {
    id: "seams",
    title: "Seams: blended in the upper row, cut in the lower one",
    layout: square(5),
    entries: (["blend", "cut"] as const).flatMap((method) =>
      SEAMED.map((group) =>
        pattern(
          `${group}, ${method}`,
          { group, seam: { ...Value.Create(Seam), method } },
          sheetOf(square(5), 1.5 * CELL),
        ),
      ),
    ),
  },
  {
    id: "ideas",
    title: "Ideas for a picture",
    layout: square(6),
    entries: Array.from({ length: 12 }, (_, n) => ({
      caption: `idea ${n + 1}`,
      async draw(engine: Engine, photo: SourceBytes) {
        const request = { source: photo, count: 12, groups: GROUP_NAMES };
        const { group, motif, seam } = (await engine.ideas(request))[n];
        const sheet = sheetOf(square(6), 1.5 * CELL);
        return pattern("", { group, motif, seam }, sheet).draw(engine, photo);
      },
    })),
  },
  {
    id: "presets",
    title: "Presets",
    layout: square(7),
    entries: SEEDS.flatMap((seed) =>
      presets.map(({ id }) => ({
        caption: `${id}, seed ${seed}`,
        draw: (engine: Engine) => engine.drawPreset(id, seed, 320),
      })),
    ),
  },
  {
    id: "effects",
    title: "Pattern effects, with their defaults (p4g)",
    layout: square(5),
    entries: [
      pattern("as it is", { group: "p4g" }, sheetOf(square(5), 2 * CELL)),
      ...patternEffects.map(({ id }) =>
        pattern(id, { group: "p4g", effects: [{ id }] }, sheetOf(square(5), 2 * CELL)),
      ),
    ],
  },
  {
    id: "surface-effects",
    title: "Surface effects, with their defaults (p6m)",
    layout: LANDSCAPE,
    entries: [
      pattern("as it is", { group: "p6m" }, sheetOf(LANDSCAPE, CELL)),
      ...surfaceEffects.map(({ id }) =>
        pattern(id, { group: "p6m" }, { ...sheetOf(LANDSCAPE, CELL), surface_effects: [{ id }] }),
      ),
    ],
  },
  {
    id: "palettes",
    title: "Palettes (pmg)",
    layout: square(6),
    entries: palettes.map(({ id }) =>
      pattern(id, { group: "pmg", palette: id }, sheetOf(square(6), 2 * CELL)),
    ),
  },
  {
    id: "styles",
    title: "Styles (p31m)",
    layout: LANDSCAPE,
    entries: styles.map(({ id, seam }) =>
      pattern(
        id,
        { group: "p31m", style: id, seam: { ...Value.Create(Seam), ...seam } },
        sheetOf(LANDSCAPE, 1.5 * CELL),
      ),
    ),
  },
  {
    id: "aperiodic",
    title: "Aperiodic sheets: the picture, plain colours, and parts of the picture",
    layout: square(7),
    entries: APERIODIC_FILLS.flatMap(([caption, settings]) =>
      APERIODIC_KINDS.filter(
        (kind) => kind !== "quasicrystal" || settings.variation === undefined,
      ).map((kind) =>
        pattern(
          `${kind}, ${caption}`,
          {},
          {
            ...Value.Create(RenderFields),
            mode: "aperiodic",
            size: 320,
            aperiodic: { ...Value.Create(Aperiodic), kind, ...settings },
          },
        ),
      ),
    ),
  },
  {
    id: "friezes",
    title: "Friezes",
    layout: STRIP,
    entries: FRIEZE_NAMES.map((group) =>
      pattern(
        group,
        {},
        {
          ...Value.Create(RenderFields),
          mode: "frieze",
          surface_width: STRIP.width,
          surface_height: STRIP.height,
          frieze: { group, repeats: 6 },
        },
      ),
    ),
  },
  {
    id: "rosettes",
    title: "Rosettes: with mirrors and without",
    layout: square(5),
    entries: [true, false].flatMap((mirrors) =>
      [1, 3, 5, 8, 12].map((fold) =>
        pattern(
          `${mirrors ? "D" : "C"}${fold}`,
          {},
          {
            ...Value.Create(RenderFields),
            mode: "rosette",
            size: square(5).width,
            rosette: { fold, mirrors, shape: "disc" },
          },
        ),
      ),
    ),
  },
  {
    id: "counterchanges",
    title: "Counterchanges: the 46 two-colour groups",
    layout: SMALL,
    entries: GROUP_NAMES.flatMap((group) =>
      COUNTERCHANGES[group].map((counterchange) =>
        pattern(
          `${group}/${counterchange.replace("_", ", ")}`,
          { group, counterchange },
          sheetOf(SMALL, SMALL.width / 2),
        ),
      ),
    ),
  },
  {
    id: "inks",
    title: "Flat inks (p4m)",
    layout: square(4),
    entries: [
      inInks("nine of the picture's colours", { count: 9 }),
      {
        caption: "the same, and one for the eyes",
        async draw(engine: Engine, photo: SourceBytes) {
          const effects = [{ id: "flat_inks", params: { count: 9 } }];
          const design = checkDesign({ ...plainDesign("p4m"), effects });
          const fields = { size: 512, tile: "cell", hex_cells: "7x4" } as const;
          const found = (await engine.inks({ design, source: photo, fields })) ?? [];
          const colours = [...found.map(({ colour }) => colour), EYES].join(" ");
          return inInks("", named(colours)).draw(engine, photo);
        },
      },
      inInks("red, indigo and ecru", named("#c8102e #1d2a5d #f4eddd")),
      inInks("twelve inks of a printer", named(TWELVE)),
    ],
  },
  {
    id: "mockups",
    title: "Mockups, each with the cell that suits it (p6m)",
    layout: square(5),
    entries: products.map(({ id, title }) => ({
      caption: title,
      draw: (engine: Engine, source: SourceBytes) =>
        engine.drawMockup({ design: checkDesign(plainDesign("p6m")), source, product: id }),
    })),
  },
];
