/** The editor in a browser: the picture that follows a drag, and the first one of a photograph. */
import type { BenchCase, PreparedCase, Reading } from "../harness/case.ts";
import { WrongResult } from "../harness/case.ts";
import { BROWSER } from "../harness/chromium.ts";
import { type EditorPage, openEditorPage } from "../harness/editor-page.ts";
import { onServer } from "../harness/on-server.ts";
import { quantile } from "../harness/statistics.ts";
import { photograph, withComment } from "../pictures/photograph.ts";

const MEGAPIXELS = 12;
const FRAMES = 60;
const SLIDERS = ["Turn", "Across", "Scale"];
const GROUPS = ["p4", "p1", "cmm", "p6m"];

const HOW = `A photograph of ${MEGAPIXELS} Mpx. A slider moves in every frame of the browser; a change waits until the canvas holds a picture of it or of a later one. Groups ${GROUPS.join(", ")}, sliders ${SLIDERS.join(", ")}, ${FRAMES} frames each. The browser runs on the same cores as the server.`;

const DRAG_METRICS = [
  { name: "p95", unit: "ms p95", better: "lower" },
  { name: "median", unit: "ms median", better: "lower" },
  { name: "side", unit: "pixels, the median side", better: "higher" },
] as const;

export const editorCases: readonly BenchCase[] = [
  {
    name: "editor-drag",
    title: "The editor: from a drag to the new picture",
    scope: "user",
    fairness: HOW,
    metrics: DRAG_METRICS,
    targets: [
      { metric: "p95", must: 50 },
      { metric: "side", must: 512 },
    ],
    prepare: () => onEditor("webasm", drag),
  },
  {
    name: "editor-drag-slow",
    title: "The editor with a quarter of the processor: from a drag to the new picture",
    scope: "user",
    fairness: `${HOW} The page's process is stopped for three quarters of each 20 ms.`,
    metrics: DRAG_METRICS,
    targets: [
      { metric: "p95", must: 80 },
      { metric: "side", must: 256 },
    ],
    prepare: () =>
      onEditor("webasm, a quarter of the time", async (editor) => {
        await editor.throttle(4);
        const reading = await drag(editor);
        await editor.throttle(1);
        return reading;
      }),
  },
  {
    name: "editor-first",
    title: `The editor: the first picture of a photograph of ${MEGAPIXELS} Mpx that is uploaded`,
    scope: "user",
    fairness:
      "From the choice of the file, whose bytes are new to the service, to the first picture on the canvas, over the loopback.",
    metrics: [{ name: "ms", unit: "ms", better: "lower" }],
    targets: [{ metric: "ms", must: 1000 }],
    prepare: () => onEditor("webasm", first),
  },
];

/** Prepares a case that runs in the editor of a photograph. */
function onEditor(
  name: string,
  run: (editor: EditorPage) => Promise<Reading>,
): Promise<PreparedCase> {
  return onServer(1, async (server) => {
    const editor = await openEditorPage(server);
    await editor.upload(await photograph(MEGAPIXELS));
    return {
      contenders: [{ name, ours: true, run: () => run(editor) }],
      notes: [server.description, `${BROWSER} ${editor.page.context().browser()?.version()}`],
      versions: {},
      async check() {
        const canvas = editor.page.getByRole("img", { name: /^Pattern/ });
        const backend = await canvas.getAttribute("data-backend");
        if (backend !== "webasm") throw new WrongResult(`rendered by ${backend}`);
      },
      async close() {
        await editor.close();
        await server.stop();
      },
    };
  });
}

async function drag(editor: EditorPage): Promise<Reading> {
  const times: number[] = [];
  const sides: number[] = [];
  for (const group of GROUPS) {
    await editor.page.getByRole("radio", { name: new RegExp(`\\(${group}\\)$`) }).check();
    for (const slider of SLIDERS) {
      for (const { ms, side } of await editor.drag(slider, FRAMES)) {
        times.push(ms);
        sides.push(side);
      }
      await editor.page.getByRole("button", { name: "Undo" }).click();
    }
  }
  return {
    p95: quantile(times, 0.95),
    median: quantile(times, 0.5),
    side: quantile(sides, 0.5),
  };
}

let uploads = 0;

async function first(editor: EditorPage): Promise<Reading> {
  const source = withComment(await photograph(MEGAPIXELS), `editor ${uploads++}`);
  return { ms: await editor.upload(source) };
}
