/**
 * The engine's worker: renders orders one after the other, the pattern before its previews. A second one
 * makes the levels of sources.
 */
import {
  coloursOfLevels,
  createRunner,
  type KernelRunner,
  PALETTE_SIZE,
} from "../../engine/core.ts";
import { problemOfDraft } from "./check-draft.ts";
import { serveLevels } from "./level-maker.ts";
import { createLevels, type Levels } from "./levels.ts";
import { openRunner } from "./open-runner.ts";
import type { FromWorker, MainColours, Order, ShownSource, ToWorker } from "./protocol.ts";
import { createPictureRenderer } from "./render-picture.ts";
import { receiveMessages } from "./turns.ts";
import { failureOf, WorkerError } from "./worker-error.ts";

/** The lane that is served first. */
const FIRST = "pattern";

/** Orders by lane, oldest first. */
const waiting = new Map<string, Order>();
/** Numbers of the newest orders by lane. */
const newest = new Map<string, number>();
let levels: Levels | undefined;
let renderer: Renderer | undefined;
let isWorking = false;

interface Renderer {
  readonly runner: KernelRunner;
  readonly render: ReturnType<typeof createPictureRenderer>;
}

/** Renders to the server's bytes; created when it is first needed beside a GPU. */
let exact: Renderer | undefined;

const createRenderer = (runner: KernelRunner, levels: Levels): Renderer => ({
  runner,
  render: createPictureRenderer(runner, levels, receiveMessages),
});

addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
  if (data.kind === "make levels") return serveLevels(data.access, data.port);
  if (data.kind === "render levels") return void start(data.port);
  if (data.kind === "check drafts") return data.port.postMessage(data.drafts.map(problemOfDraft));
  if (data.kind === "find colours") return void findColours(data.source, data.port);
  newest.set(data.order.lane, data.order.number);
  take(data.order);
});

async function start(port: MessagePort): Promise<void> {
  levels = createLevels(port);
  renderer = createRenderer(await openRunner(), levels);
  await work();
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

function take(order: Order): void {
  waiting.delete(order.lane);
  waiting.set(order.lane, order);
  void work();
}

async function work(): Promise<void> {
  if (isWorking) return;
  isWorking = true;
  for (;;) {
    const order = waiting.get(FIRST) ?? waiting.values().next().value;
    if (order === undefined || renderer === undefined || levels === undefined) break;
    waiting.delete(order.lane);
    await serve(order, rendererFor(order, renderer, levels));
    await receiveMessages();
  }
  isWorking = false;
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

async function serve(order: Order, { runner, render }: Renderer): Promise<void> {
  const { lane, number, scale, source } = order;
  try {
    const start = performance.now();
    const { image, missing } = await render(order);
    // A canvas that draws in 2D would multiply colours by alpha and lose their last bits.
    const picture = await createImageBitmap(image, {
      premultiplyAlpha: "none",
      colorSpaceConversion: "none",
    });
    const milliseconds = performance.now() - start;
    const isDraft = order.isDraft || missing !== null || source.file !== undefined;
    const { backend } = runner;
    const facts = { order: { lane, number, scale }, isDraft, milliseconds, backend };
    post({ kind: "picture", picture, ...facts }, [picture]);
    if (missing !== null) void refine(order, missing);
  } catch (error) {
    // A GPU may be lost or refuse a kernel: then the rest is rendered without it.
    if (runner.backend === "webgpu" && levels !== undefined && !(error instanceof WorkerError)) {
      exact ??= createRenderer(createRunner("webasm", ""), levels);
      renderer = exact;
      if (!waiting.has(lane)) waiting.set(lane, order);
    } else postFailure(order, error);
  }
}

/** Has a level made, and renders the order again unless there is a newer one. */
async function refine(order: Order, missing: number): Promise<void> {
  try {
    await levels?.refine(order.source, missing);
    if (newest.get(order.lane) === order.number) take(order);
  } catch (error) {
    postFailure(order, error);
  }
}

function postFailure({ lane, number }: Order, error: unknown): void {
  post({ kind: "failure", order: { lane, number }, failure: failureOf(error) });
}

const post = (message: FromWorker, transfer: Transferable[] = []) =>
  postMessage(message, { transfer });
