/** The engine's worker: renders orders. A second one makes the levels of sources. */
import {
  coloursOfLevels,
  createRunner,
  type KernelRunner,
  LevelMissing,
  PALETTE_SIZE,
} from "../../engine/core.ts";
import { problemOfDraft } from "./check-draft.ts";
import { serveLevels } from "./level-maker.ts";
import { createLevels, type Levels } from "./levels.ts";
import { openRunner } from "./open-runner.ts";
import { createOrderQueue, Overtaken } from "./order-queue.ts";
import { createPixelBuffers } from "./pixel-buffers.ts";
import type { FromWorker, MainColours, Order, ShownSource, ToWorker } from "./protocol.ts";
import { createPictureRenderer } from "./render-picture.ts";
import { turns } from "./turns.ts";
import { failureOf, WorkerError } from "./worker-error.ts";

/** Numbers of the newest orders by lane. */
const newest = new Map<string, number>();
let levels: Levels | undefined;
let renderer: Renderer | undefined;
const buffers = createPixelBuffers();

const queue = createOrderQueue(serve, turns);

interface Renderer {
  readonly runner: KernelRunner;
  readonly render: ReturnType<typeof createPictureRenderer>;
}

/** Renders to the server's bytes; created when it is first needed beside a GPU. */
let exact: Renderer | undefined;

const createRenderer = (runner: KernelRunner, levels: Levels): Renderer => ({
  runner,
  render: createPictureRenderer(runner, levels, buffers, queue.checkpoint),
});

addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
  if (data.kind === "make levels") return serveLevels(data.access, data.port);
  if (data.kind === "render levels") return void start(data.port);
  if (data.kind === "give back") return buffers.giveBack(data.buffer);
  if (data.kind === "check drafts") return data.port.postMessage(data.drafts.map(problemOfDraft));
  if (data.kind === "find colours") return void findColours(data.source, data.port);
  newest.set(data.order.lane, data.order.number);
  queue.take(data.order);
});

async function start(port: MessagePort): Promise<void> {
  levels = createLevels(port);
  renderer = createRenderer(await openRunner(), levels);
  queue.open();
}

async function findColours(source: ShownSource, port: MessagePort): Promise<void> {
  const reply = (message: MainColours) => port.postMessage(message);
  try {
    if (levels === undefined) throw new Error("there are no levels yet");
    reply({ colours: coloursOfLevels(await levels.of(source), PALETTE_SIZE) });
  } catch (error) {
    reply({ failure: failureOf(error) });
  }
}

/**
 * Returns what renders an order. A GPU differs by 1/255, which effects make larger: contrast 2, a threshold 9.
 * So designs with effects, a palette or a style are not rendered on it.
 */
function rendererFor({ design, fields }: Order, first: Renderer, levels: Levels): Renderer {
  const { effects, palette, style } = design;
  const isPlain = effects.length === 0 && palette === null && style === null;
  if (first.runner.backend === "webasm" || (isPlain && !fields.surface_effects?.length))
    return first;
  exact ??= createRenderer(createRunner("webasm", ""), levels);
  return exact;
}

async function serve(order: Order): Promise<void> {
  // The queue opens once both are there.
  if (renderer === undefined || levels === undefined) return;
  const { lane, number, scale, source } = order;
  const { runner, render } = rendererFor(order, renderer, levels);
  try {
    const start = performance.now();
    const { picture, missing } = await render(order);
    const milliseconds = performance.now() - start;
    const isDraft = order.isDraft || missing !== null || source.file !== undefined;
    const { backend } = runner;
    const facts = { order: { lane, number, scale }, isDraft, milliseconds, backend };
    post({ kind: "picture", picture, ...facts }, [picture.buffer]);
    if (missing !== null) void refine(order, missing);
  } catch (error) {
    if (error instanceof Overtaken) throw error;
    // Even the smallest picture of a motif that is enlarged this much needs a finer level than there is yet.
    if (error instanceof LevelMissing) return void refine(order, error.level);
    // A GPU may be lost or refuse a kernel: then the rest is rendered without it.
    if (runner.backend === "webgpu" && !(error instanceof WorkerError)) {
      exact ??= createRenderer(createRunner("webasm", ""), levels);
      renderer = exact;
      if (!queue.has(lane)) queue.take(order);
    } else postFailure(order, error);
  }
}

/** Has a level made, and renders the order again unless there is a newer one, or it is a draft, after which a better one comes. */
async function refine(order: Order, missing: number): Promise<void> {
  try {
    await levels?.refine(order.source, missing);
    if (!order.isDraft && newest.get(order.lane) === order.number) queue.take(order);
  } catch (error) {
    postFailure(order, error);
  }
}

function postFailure({ lane, number }: Order, error: unknown): void {
  post({ kind: "failure", order: { lane, number }, failure: failureOf(error) });
}

const post = (message: FromWorker, transfer: Transferable[] = []) =>
  postMessage(message, { transfer });
