/**
 * `npm run certificates -- PHOTOGRAPH… [--size PIXELS]`: renders photographs under each of the 17
 * groups, certifies each tile under each of the 17 claims, and prints the verdicts and their
 * margins as Markdown.
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import sharp from "sharp";
import { Value } from "typebox/value";
import type { Certificate } from "../engine/certificate/certificate.ts";
import { evaluateClaim, examine } from "../engine/certificate/certify.ts";
import { FULL_DETAIL_SIDE } from "../engine/certificate/planes.ts";
import {
  LOCAL_ERROR_SHARE,
  MAX_PIXEL_ERROR,
  MAX_STRAIN,
  SMALL_CELL_PIXELS,
} from "../engine/certificate/tolerance.ts";
import type { ByteImage } from "../engine/image/picture.ts";
import {
  checkDesign,
  checkRender,
  createEngine,
  type Engine,
  GROUP_NAMES,
  type GroupName,
  Lattice,
  plainDesign,
  RenderFields,
} from "../engine/index.ts";

interface Certified {
  readonly name: string;
  readonly rows: readonly Row[];
}

interface Row {
  readonly truth: GroupName;
  readonly certificates: readonly Certificate[];
}

const MARKS = { valid: "=", more_symmetric: ">", broken: "✗", undecided: "?" } as const;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { size: { type: "string", default: "384" } },
});
const engine = await createEngine({ backend: "webasm", threads: 1, queueMax: 1 });
try {
  const photographs: Certified[] = [];
  for (const path of positionals) {
    const rows = await certifyAll(engine, await readFile(path), Number(values.size));
    photographs.push({ name: basename(path), rows });
  }
  console.log(report(photographs, Number(values.size)));
} finally {
  await engine.close(1000);
}

async function certifyAll(engine: Engine, photograph: Uint8Array, size: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (const truth of GROUP_NAMES) {
    const examined = await examine(await renderTile(engine, photograph, truth, size));
    const certificates: Certificate[] = [];
    for (const group of GROUP_NAMES) {
      const lattice = Value.Create(Lattice);
      certificates.push(
        await evaluateClaim(examined, { group, lattice, hexCells: "7x4", cells: "rendered" }),
      );
    }
    rows.push({ truth, certificates });
  }
  return rows;
}

async function renderTile(
  engine: Engine,
  bytes: Uint8Array,
  group: GroupName,
  size: number,
): Promise<ByteImage> {
  const { bytes: png } = await engine.render({
    design: checkDesign(plainDesign(group)),
    render: checkRender({ ...Value.Create(RenderFields), size }),
    source: { sha256: createHash("sha256").update(bytes).digest("hex"), bytes },
  });
  const { data, info } = await sharp(png).raw().toBuffer({ resolveWithObject: true });
  return {
    width: info.width,
    height: info.height,
    channels: info.channels as ByteImage["channels"],
    pixels: data,
  };
}

function report(photographs: readonly Certified[], size: number): string {
  const tables = photographs.map(
    ({ name, rows }) => `## ${name}\n\n${verdicts(rows)}\n\n${margins(rows)}`,
  );
  return `# Certificates of all groups

Photographs under each of the 17 groups, a row each, as tiles of ${size} × ${size} pixels, hexagonal groups
as 7 × 4 cells. Each tile is certified under each of the 17 claims, a column each. Made by
\`npm run -s certificates -- chelsea.png coffee.png rocket.jpg\`.

| mark | verdict |
| :-: | --- |
| = | valid: the picture has the claimed group and no larger one |
| > | more symmetric: the claimed group holds, as part of the larger one of the row |
| ✗ | broken: a generator of the claimed group fails, and the certificate names it |
| ? | undecided: the picture is too small or its detail too fine for its pixels to tell, or its edges do not meet |

\`reason\` gives the cause as a stable code for programs; the API's description lists the codes.

A certificate names the group that it found. If that were not the row's, it would stand beside
the mark. The margins are relative errors, as shares of the picture's contrast: the worst operation
of each claim.

## What a certificate does not detect

- An operation that maps pixels onto pixels is checked pixel by pixel. It fails where pixels
  differ by more than ${percent(MAX_PIXEL_ERROR)} of the contrast in the root mean square, which JPEG at quality 50 and
  light grain stay below.
- Every operation is checked patch by patch, with patches of 12 pixels a side or a little more;
  \`patch\` states their size. It fails where the brightness of a patch differs by more than ${percent(LOCAL_ERROR_SHARE)}
  of the contrast, or its colour by three times that. JPEG at quality 30 stays below; a flaw much
  smaller than a patch, or of nearly the same colours, is ignored, but raises \`max_error\`.
- Operations that do not map pixels onto pixels, such as rotations by 60°, are checked on detail
  of four pixels and more.
- In a picture of several cells the repetition itself is checked. In a picture of one cell, opposite edges
  have to meet: along them, steps may stand out no more than along some line inside, and they may not
  meet far better a few pixels farther along. A cut through a plain ground is not detected.
- A tile of this service, certified by its pattern, repeats by construction, hard edges included.
- A cell may differ from the shape that its group needs by ${percent(MAX_STRAIN)} and the rounding to whole pixels. In a
  square picture hexagonal cells may be strained as 2 × 1, 5 × 3, 7 × 4 and 26 × 15 of them are.
- In cells of less than ${SMALL_CELL_PIXELS} pixels only nearly exact claims hold; the rest are undecided, as is a
  picture with detail of single pixels.
- A picture of more than ${FULL_DETAIL_SIDE} pixels a side is averaged to about 512 samples a side for its
  translations. If that removes most of its detail, it is undecided.

${tables.join("\n\n")}`;
}

function verdicts(rows: readonly Row[]): string {
  return [
    line(["", ...GROUP_NAMES]),
    line(["---", ...GROUP_NAMES.map(() => ":-:")]),
    ...rows.map(({ truth, certificates }) =>
      line([`**${truth}**`, ...certificates.map((certificate) => mark(certificate, truth))]),
    ),
  ].join("\n");
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

/** Returns the verdict, and the group that was found only if it is not the true one. */
function mark({ verdict, found }: Certificate, truth: GroupName): string {
  return found === truth ? MARKS[verdict] : `${MARKS[verdict]} ${found ?? "none"}`;
}

/** Relative errors of the worst operation of each valid claim, and of each broken one. */
function margins(rows: readonly Row[]): string {
  const worst = rows.flatMap(({ truth, certificates }) =>
    certificates.map(({ claimed, verdict, operations }) => ({
      pair: `${truth} claimed as ${claimed}`,
      holds: verdict !== "broken",
      error: Math.max(0, ...operations.map(({ relative_error }) => relative_error)),
    })),
  );
  worst.sort((one, other) => one.error - other.error);
  const highest = worst.findLast(({ holds }) => holds);
  const lowest = worst.find(({ holds }) => !holds);
  const tolerance = rows[0]?.certificates[0]?.tolerance.relative_error;
  return `| margin | relative error | where |
| --- | --: | --- |
| largest error of a claim that holds | ${percent(highest?.error)} | ${highest?.pair} |
| tolerance | ${percent(tolerance)} | |
| smallest error of a claim that fails | ${percent(lowest?.error)} | ${lowest?.pair} |`;
}

function percent(share = 0): string {
  return `${(100 * share).toFixed(1)} %`;
}
