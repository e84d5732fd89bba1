/**
 * Draws contact sheets of every entry of the catalogues.
 *
 *   npm run gallery [-- PHOTO] [--out FOLDER] [--only CHAPTER] [--width PIXELS]
 *
 * Without a photograph it uses the preset `floral`. `--width` scales the sheets to that many
 * pixels. File names go to standard output, progress to standard error.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { SingleBar } from "cli-progress";
import sharp from "sharp";
import { createEngine, type Engine, type SourceBytes } from "../engine/index.ts";
import { type Chapter, chapters } from "./chapters.ts";
import { contactSheet } from "./contact-sheet.ts";
import { sourceOf } from "./entries.ts";

interface Wishes {
  readonly photo: string | undefined;
  readonly folder: string;
  readonly chapters: readonly Chapter[];
  /** Pixels of a finished sheet; undefined leaves it unscaled. */
  readonly width: number | undefined;
}

await main().catch((error: Error) => {
  process.stderr.write(`gallery: ${error.message}\n`);
  process.exitCode = 1;
});

async function main(): Promise<void> {
  const wishes = readWishes();
  const engine = await createEngine({
    backend: "auto",
    threads: availableParallelism(),
    queueMax: 1000,
  });
  const bar = new SingleBar({ format: "{bar} {value}/{total} {chapter} {caption}" });
  try {
    const photo = await photoOf(engine, wishes.photo);
    await mkdir(wishes.folder, { recursive: true });
    const count = wishes.chapters.reduce((sum, { entries }) => sum + entries.length, 0);
    bar.start(count, 0, { chapter: "", caption: "" });
    const drawn: string[] = [];
    for (const chapter of wishes.chapters) {
      const plates = chapter.entries.map(async ({ caption, draw }) => {
        const picture = await draw(engine, photo);
        bar.increment({ chapter: chapter.id, caption });
        return { caption, picture };
      });
      const file = join(wishes.folder, `${chapter.id}.jpg`);
      const sheet = await contactSheet(chapter.title, await Promise.all(plates), chapter.layout);
      await writeFile(file, await shrunk(sheet, wishes.width));
      drawn.push(file);
    }
    bar.stop();
    process.stdout.write(`${drawn.join("\n")}\n`);
  } finally {
    bar.stop();
    await engine.close(1000);
  }
}

/** Throws a `RangeError` for invalid options. */
function readWishes(): Wishes {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      out: { type: "string", default: ".gallery" },
      only: { type: "string" },
      width: { type: "string" },
    },
  });
  const chosen = chapters.filter(({ id }) => values.only === undefined || id === values.only);
  if (chosen.length === 0) {
    const ids = chapters.map(({ id }) => id).join(", ");
    throw new RangeError(`--only: there is no chapter "${values.only}"; there are: ${ids}`);
  }
  const width = values.width === undefined ? undefined : Number(values.width);
  if (width !== undefined && !(Number.isInteger(width) && width > 0 && width <= 10_000)) {
    throw new RangeError(`--width: expected 1 to 10000 pixels, got "${values.width}"`);
  }
  return { photo: positionals[0], folder: values.out, chapters: chosen, width };
}

async function photoOf(engine: Engine, path: string | undefined): Promise<SourceBytes> {
  const bytes =
    path === undefined ? await engine.drawPreset("floral", 7, 1024) : await readFile(path);
  return sourceOf(bytes);
}

async function shrunk(sheet: Uint8Array, width: number | undefined): Promise<Uint8Array> {
  if (width === undefined) return sheet;
  return sharp(sheet).resize(width).jpeg({ quality: 80, mozjpeg: true }).toBuffer();
}
