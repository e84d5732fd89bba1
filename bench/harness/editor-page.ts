/** The editor in a browser, with a record of the pictures that it ordered and got. */
import type { Page } from "playwright-core";
import type { SourceBytes } from "../../engine/recipe/index.ts";
import { BENCH_USER } from "./api-client.ts";
import { Unavailable } from "./case.ts";
import { launchBrowser, missingBrowser } from "./chromium.ts";
import type { StartedServer } from "./started-server.ts";

export interface EditorPage {
  readonly page: Page;
  /** Uploads a file; resolves with the milliseconds until its first picture is shown. */
  upload(source: SourceBytes): Promise<number>;
  /** Drags a slider from one end of its range to the other. */
  drag(slider: string, frames: number): Promise<readonly Latency[]>;
  /** Stops the page's process for all but one part in `factor` of the time; ends what the last call did. */
  throttle(factor: number): Promise<void>;
  close(): Promise<void>;
}

/** From a change to the first picture that shows it or a later one. */
export interface Latency {
  readonly ms: number;
  /** Of the picture, in pixels. */
  readonly side: number;
}

interface ShownPicture {
  /** When it was ordered and when it was drawn, in milliseconds. */
  readonly ordered: number;
  readonly drawn: number;
  readonly side: number;
}

/** Milliseconds of a turn of a throttled process. */
const TURN_MS = 20;

/** Opens the editor of the account that `openApi` created. Throws `Unavailable` without a browser. */
export async function openEditorPage(server: StartedServer): Promise<EditorPage> {
  if (missingBrowser !== null) throw new Unavailable(missingBrowser);
  const browser = await launchBrowser();
  const page = await browser.newPage();
  await page.addInitScript(recordPictures);
  await page.goto(`${server.url}/editor`);
  await page.getByLabel("E-mail").fill(BENCH_USER.email);
  await page.getByLabel("Password").fill(BENCH_USER.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByLabel("Your picture").waitFor();
  const session = await browser.newBrowserCDPSession();
  let stopThrottling: (() => void) | undefined;
  return {
    page,
    async upload({ bytes }) {
      const file = { name: "photograph.jpg", mimeType: "image/jpeg", buffer: Buffer.from(bytes) };
      // The browser has the file before the clock starts.
      await page.getByLabel("Your picture").evaluate((input) =>
        input.addEventListener(
          "change",
          () => Object.assign(globalThis, { chosen: performance.now() }),
          {
            capture: true,
            once: true,
          },
        ),
      );
      await page.getByLabel("Your picture").setInputFiles(file);
      return page.evaluate(async () => {
        const { shown, chosen } = globalThis as unknown as {
          shown: ShownPicture[];
          chosen: number;
        };
        for (;;) {
          const first = shown.find(({ ordered }) => ordered >= chosen);
          if (first !== undefined) return first.drawn - chosen;
          await new Promise(requestAnimationFrame);
        }
      });
    },
    drag: (slider, frames) =>
      page
        .getByRole("slider", { name: slider })
        .evaluate(async (input: HTMLInputElement, frames) => {
          const { shown } = globalThis as unknown as { shown: ShownPicture[] };
          const [min, max] = [Number(input.min), Number(input.max)];
          const changes: number[] = [];
          for (let frame = 0; frame < frames; frame++) {
            await new Promise(requestAnimationFrame);
            input.value = String(min + ((max - min) * (frame + 0.5)) / frames);
            changes.push(performance.now());
            input.dispatchEvent(new Event("input", { bubbles: true }));
          }
          input.dispatchEvent(new Event("change", { bubbles: true }));
          const latencies: Latency[] = [];
          for (const changed of changes) {
            for (;;) {
              const first = shown.find(({ ordered }) => ordered >= changed);
              if (first !== undefined) {
                latencies.push({ ms: first.drawn - changed, side: first.side });
                break;
              }
              await new Promise(requestAnimationFrame);
            }
          }
          return latencies;
        }, frames),
    async throttle(factor) {
      stopThrottling?.();
      const { processInfo } = await session.send("SystemInfo.getProcessInfo");
      const renderers = processInfo.filter(({ type }) => type === "renderer").map(({ id }) => id);
      stopThrottling = factor > 1 ? runInTurns(renderers, TURN_MS / factor) : undefined;
    },
    async close() {
      stopThrottling?.();
      await browser.close();
    },
  };
}

/**
 * Lets processes run for some milliseconds of each turn. Chromium's own throttling slows the page's thread
 * only, not its workers.
 */
function runInTurns(pids: readonly number[], milliseconds: number): () => void {
  const signal = (name: NodeJS.Signals) => {
    for (const pid of pids) process.kill(pid, name);
  };
  const timer = setInterval(() => {
    signal("SIGCONT");
    setTimeout(() => signal("SIGSTOP"), milliseconds);
  }, TURN_MS);
  return () => {
    clearInterval(timer);
    setTimeout(() => signal("SIGCONT"), milliseconds + 1);
  };
}

/** Runs in the page, before the editor does. */
function recordPictures(): void {
  const shown: ShownPicture[] = [];
  Object.assign(globalThis, { shown });
  const ordered = new Map<number, number>();
  const { prototype } = Worker;
  const post = prototype.postMessage;
  const watched = new WeakSet<Worker>();
  const watch = (worker: Worker) =>
    // After the editor's own listener, which draws.
    worker.addEventListener("message", ({ data: { kind, order } }) => {
      if (kind !== "picture" || order.lane !== "pattern") return;
      const at = ordered.get(order.number) ?? 0;
      const canvas = document.querySelector<HTMLCanvasElement>("canvas[role=img]");
      shown.push({ ordered: at, drawn: performance.now(), side: Number(canvas?.dataset.size) });
    });
  const postMessage = function (this: Worker, ...given: [message: unknown, transfer: never]) {
    const [{ kind, order }] = given as unknown as [{ kind: string; order: { number: number } }];
    if (kind === "render") {
      if (!watched.has(this)) watch(this);
      watched.add(this);
      // A draft and its sharp picture have one number.
      if (!ordered.has(order.number)) ordered.set(order.number, performance.now());
    }
    post.apply(this, given);
  };
  Object.assign(prototype, { postMessage });
}
