/**
 * Draws contact sheets of everything that the catalogues hold.
 *
 *   npm run gallery [-- PHOTO] [--out FOLDER] [--only CHAPTER] [--width PIXELS]
 *
 * Without a photograph the preset `floral` stands in for it. `--width` shrinks the sheets to so
 * many pixels.
 */
import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { SingleBar } from "cli-progress";
import sharp from "sharp";
import { createEngine, type Engine, type SourceBytes } from "../engine/index.ts";
import { type Chapter, chapters } from "./chapters.ts";
import { contactSheet, type Plate } from "./contact-sheet.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: "string", default: ".gallery" },
    only: { type: "string" },
    width: { type: "string" },
  },
});

const wanted = chapters.filter(({ id }) => values.only === undefined || id === values.only);
if (wanted.length === 0) {
  const ids = chapters.map(({ id }) => id).join(", ");
  process.stderr.write(`There is no chapter ${values.only}; there are: ${ids}\n`);
  process.exit(64);
}

const engine = await createEngine({
  backend: "auto",
  threads: Math.min(availableParallelism(), 4),
  queueMax: 1000,
});
const bar = new SingleBar({
  format: "{bar} {value}/{total} {chapter} {caption}",
  noTTYOutput: true,
  notTTYSchedule: 2000,
});
try {
  const photo = await photoOf(engine, positionals[0]);
  await mkdir(values.out, { recursive: true });
  const count = wanted.reduce((sum, { entries }) => sum + entries.length, 0);
  bar.start(count, 0, { chapter: "", caption: "" });
  for (const chapter of wanted) await drawChapter(chapter, photo);
} finally {
  bar.stop();
  await engine.close(1000);
}
process.stdout.write(`${wanted.map(({ id }) => join(values.out, `${id}.jpg`)).join("\n")}\n`);

async function photoOf(drawer: Engine, path: string | undefined): Promise<SourceBytes> {
  const bytes =
    path === undefined ? await drawer.drawPreset("floral", 7, 1024) : await readFile(path);
  return { sha256: createHash("sha256").update(bytes).digest("hex"), bytes };
}

async function drawChapter(
  { id, title, layout, entries }: Chapter,
  photo: SourceBytes,
): Promise<void> {
  const plates: Plate[] = await Promise.all(
    entries.map(async ({ caption, draw }) => {
      const picture = await draw(engine, photo);
      bar.increment({ chapter: id, caption });
      return { caption, picture };
    }),
  );
  const sheet = sharp(await contactSheet(title, plates, layout));
  if (values.width !== undefined) {
    sheet.resize(Number(values.width)).jpeg({ quality: 80, mozjpeg: true });
  }
  await writeFile(join(values.out, `${id}.jpg`), await sheet.toBuffer());
}
