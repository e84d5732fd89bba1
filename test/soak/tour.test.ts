/** The tour's commands do what the tour says. */
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import sharp from "sharp";
import t from "tap";
import { temporaryFolder } from "../helpers/database.ts";
import { startService } from "../helpers/service.ts";

const TOUR = new URL("../../docs/tour.md", import.meta.url);
const END = "— end of block —";

interface Step {
  readonly script: string;
  /** Expected output; `…` matches anything. */
  readonly prints: string;
}

function readSteps(markdown: string): readonly Step[] {
  const blocks = [...markdown.matchAll(/^```(bash|text)\n(.*?)^```$/gms)];
  return blocks.flatMap(([, kind, script], at) => {
    if (kind === "text") return [];
    const [, next, prints] = blocks[at + 1] ?? [];
    return [{ script, prints: next === "text" ? prints : "" }];
  });
}

function asPattern(text: string): RegExp {
  const parts = text.split("…").map((part) => RegExp.escape(part));
  return new RegExp(`^${parts.join(".*")}$`);
}

t.test("the tour's commands print its output and create its pictures", async (t) => {
  const steps = readSteps(await readFile(TOUR, "utf8"));
  t.ok(steps.length > 12);
  const service = await startService(t);
  const folder = await temporaryFolder(t);
  const shell = spawn("bash", ["-euo", "pipefail", "-s"], {
    cwd: folder,
    env: { ...process.env, ORBIFOLD_URL: await service.url() },
    stdio: ["pipe", "pipe", "inherit"],
  });
  shell.stdin.end(steps.map(({ script }) => `${script}echo '${END}'\n`).join(""));
  const printed = (await text(shell.stdout)).split(`${END}\n`);
  for (const [at, { script, prints }] of steps.entries()) {
    t.match(printed[at], asPattern(prints), script);
  }
  t.equal(printed.length, steps.length + 1, "no line failed");

  const picture = async (name: string) => {
    const { format, width, height } = await sharp(join(folder, name)).metadata();
    return [format, width, height];
  };
  t.same(await picture("tile.png"), ["png", 512, 512]);
  t.same(await picture("sheet.jpg"), ["jpeg", 900, 600]);
  t.same(await picture("penrose.webp"), ["webp", 600, 600]);
  t.same(await picture("print.png"), ["png", 2048, 2048]);
  t.same(await picture("mug.jpg"), ["jpeg", 1600, 1600]);
});
