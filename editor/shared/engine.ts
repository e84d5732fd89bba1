/** The engine in its worker, seen from the page. */
import { signal } from "@preact/signals";
import type {
  Access,
  Failure,
  FromWorker,
  MainColours,
  Order,
  Pixels,
  ReturnedBuffer,
  ShownSource,
  ToWorker,
} from "../engine/protocol.ts";
import { t } from "./messages.ts";

/** Name of the worker's file, which `editor/bundle.ts` puts here. */
declare const WORKER_FILE: string;

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): unknown };
}

/** Not every browser has Trusted Types. */
const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };

/** Why the last picture could not be rendered; null if it could. */
export const failure = signal<Failure | null>(null);

/** Counts the pictures of the pattern that were drawn. */
export const pictures = signal(0);

/** The canvas of each lane, and its newest order. */
const shown = new Map<string, { readonly canvas: HTMLCanvasElement; readonly number: number }>();
let orders = 0;
let worker: Worker | undefined;

let policy: ReturnType<TrustedTypes["createPolicy"]> | undefined;

/** Starts a worker whose file is beside this script's. */
export function startWorker(file: string): Worker {
  policy ??= trustedTypes?.createPolicy("orbifold", { createScriptURL: (text) => text });
  const url = new URL(file, import.meta.url).href;
  const started = new Worker((policy?.createScriptURL(url) ?? url) as string, { type: "module" });
  started.onerror = () => {
    failure.value = { code: "unsupported", message: "a worker failed" };
  };
  return started;
}

/** Hands a worker's port to the one that makes levels. */
let connect: (port: MessagePort) => void;

/** Returns a port through which levels of sources come. The engine must have been started. */
export function openLevelPort(): MessagePort {
  const { port1, port2 } = new MessageChannel();
  connect(port1);
  return port2;
}

/** Starts the workers. */
export function startEngine(access: Access): void {
  const levelMaker = startWorker(WORKER_FILE);
  connect = (port) => {
    levelMaker.postMessage({ kind: "make levels", access, port } satisfies ToWorker, [port]);
  };
  const port = openLevelPort();
  worker = startWorker(WORKER_FILE);
  worker.postMessage({ kind: "render levels", port } satisfies ToWorker, [port]);
  worker.onmessage = ({ data }: MessageEvent<FromWorker>) => receive(data);
  nearness = new IntersectionObserver(noteNearness, { rootMargin: "50%", scrollMargin: "50%" });
}

/**
 * Resolves with what is wrong with each draft, in words; null for those that can be used. Rejects where the
 * engine does not run.
 */
export const checkDrafts = (drafts: readonly unknown[]): Promise<readonly (string | null)[]> =>
  ask((port) => ({ kind: "check drafts", drafts, port }));

/**
 * Resolves with the main colours of a source, as the API takes them for a palette. Rejects with an error
 * that has a failure's code, or where the engine does not run.
 */
export async function findColours(source: ShownSource): Promise<readonly string[]> {
  const found = await ask<MainColours>((port) => ({ kind: "find colours", source, port }));
  if ("colours" in found) return found.colours;
  const { message, code } = found.failure;
  throw Object.assign(new Error(message), { code });
}

/** Resolves with the worker's answer to a message. Rejects where the worker fails meanwhile. */
function ask<Answer>(message: (port: MessagePort) => ToWorker): Promise<Answer> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve, reject) => {
    const fail = () => reject(new Error(t("problem.engine")));
    if (worker === undefined) return fail();
    worker.addEventListener("error", fail);
    port1.onmessage = ({ data }) => {
      port1.close();
      resolve(data);
    };
    worker.postMessage(message(port2), [port2]);
  });
}

/** The lane that is served first. */
const FIRST = "pattern";

/** Changes that follow each other as closely belong to a drag. The picture is sharp once the hand rests. */
export const REST_MS = 100;

/** Milliseconds beyond which a draft is slow, and below which it is quick. */
const DRAFT_MS = { slow: 40, quick: 15 } as const;
/**
 * By which the sides of drafts are shorter: as large as this machine renders in time. Each has about half as many pixels as
 * the one before it; of 512 pixels all are even, so that a part of the tile is rendered and copied to the rest.
 */
const DRAFT_SCALES = [1, 3 / 4, 1 / 2, 3 / 8, 1 / 4] as const;
/** Which of them drafts have now. */
let draftStep = 0;

/** Slow drafts in a row after which they get smaller: the first ones wait for the compiler. */
const MOST_SLOW_DRAFTS = 3;
/** Quick drafts after which larger ones are tried; twice as many each time that these are slow. */
let patience = 4;
const MOST_PATIENCE = 32;
let slowDrafts = 0;
let quickDrafts = 0;

/** Orders that wait, by lane: until nothing changes any more, and for a canvas to come near the window. */
const resting = new Map<string, Order>();
/** Timer that ends once nothing has changed for `REST_MS`; undefined while none runs. */
let rest: ReturnType<typeof setTimeout> | undefined;
let lastChange = 0;

/** Canvases in the window or less than half of it away; in a shop's page only those that are seen. */
const near = new WeakSet<Element>();
/** Observes which canvases are near. */
let nearness: IntersectionObserver | undefined;

function noteNearness(
  entries: readonly IntersectionObserverEntry[],
  observer: IntersectionObserver,
): void {
  for (const { target, isIntersecting } of entries) {
    if (isIntersecting) near.add(target);
    else near.delete(target);
    if (!target.isConnected) observer.unobserve(target);
  }
  if (rest === undefined) renderResting();
}

/**
 * Renders an order into a canvas, which is busy meanwhile and gets an event `picture` whenever it has changed. Of
 * several orders of a lane some may be left out, but not the last one. A pattern that takes long is small at first, and
 * whole once nothing changes any more; everything else waits until then, and what is far from the window until it is
 * near.
 */
export function show(
  order: Omit<Order, "number" | "isDraft" | "scale">,
  canvas: HTMLCanvasElement,
): void {
  const number = ++orders;
  const { lane } = order;
  shown.set(lane, { canvas, number });
  canvas.ariaBusy = "true";
  const whole: Order = { ...order, number, scale: 1, isDraft: false };
  resting.delete(lane);
  if (lane === FIRST && draftStep === 0) post({ kind: "render", order: whole });
  else {
    if (lane === FIRST)
      post({ kind: "render", order: { ...whole, scale: DRAFT_SCALES[draftStep], isDraft: true } });
    resting.set(lane, whole);
  }
  if (lane !== FIRST) nearness?.observe(canvas);
  lastChange = performance.now();
  rest ??= setTimeout(awaitRest, REST_MS);
}

/** Renders what waits once nothing has changed for `REST_MS`. One timer serves all: a change orders twenty pictures. */
function awaitRest(): void {
  const left = lastChange + REST_MS - performance.now();
  rest = left > 0 ? setTimeout(awaitRest, left) : undefined;
  if (rest === undefined) renderResting();
}

function renderResting(): void {
  for (const [lane, order] of resting) {
    const canvas = shown.get(lane)?.canvas;
    if (lane !== FIRST && !(canvas && near.has(canvas))) continue;
    resting.delete(lane);
    post({ kind: "render", order });
  }
}

const post = (message: ToWorker) => worker?.postMessage(message);

function receive(message: FromWorker): void {
  const { lane, number } = message.order;
  const { canvas, number: newest } = shown.get(lane) ?? {};
  failure.value = message.kind === "failure" ? message.failure : null;
  if (canvas === undefined) return;
  if (message.kind === "picture") {
    const { width, height } = message.picture;
    showPicture(message.picture, canvas, worker);
    canvas.dataset.size = String(Math.max(width, height));
    canvas.dataset.backend = message.backend;
    if (lane === FIRST) {
      adaptDrafts(message);
      pictures.value++;
    }
  }
  const isDone = message.kind === "failure" || !message.isDraft;
  if (isDone && number === newest) canvas.ariaBusy = "false";
  canvas.dispatchEvent(new Event("picture"));
}

/** Shows a picture on a canvas, and gives its buffer back to the worker that rendered it. */
export function showPicture(
  { width, height, buffer }: Pixels,
  canvas: HTMLCanvasElement,
  worker: Worker | undefined,
): void {
  // Any change of its sides, even to the same ones, clears a canvas.
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  const image = new ImageData(new Uint8ClampedArray(buffer), width, height);
  canvas.getContext("2d")?.putImageData(image, 0, 0);
  worker?.postMessage({ kind: "give back", buffer } satisfies ReturnedBuffer, [buffer]);
}

function adaptDrafts({ order, milliseconds }: Extract<FromWorker, { kind: "picture" }>): void {
  if (order.scale !== DRAFT_SCALES[draftStep]) return;
  if (milliseconds > DRAFT_MS.slow) {
    quickDrafts = 0;
    if (++slowDrafts < MOST_SLOW_DRAFTS || draftStep === DRAFT_SCALES.length - 1) return;
    patience = Math.min(MOST_PATIENCE, 2 * patience);
    draftStep++;
  } else {
    slowDrafts = 0;
    if (milliseconds < DRAFT_MS.quick) quickDrafts++;
    if (quickDrafts < patience || draftStep === 0) return;
    draftStep--;
  }
  slowDrafts = 0;
  quickDrafts = 0;
}
