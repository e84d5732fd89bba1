/** The engine in its worker, seen from the page. */
import { signal } from "@preact/signals";
import type { Access, FromWorker, Order, ToWorker } from "../engine/protocol.ts";

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

/** Why the last picture could not be rendered; empty if it could. */
export const failure = signal("");

/** The canvas of each lane, and its newest order. */
const shown = new Map<string, { readonly canvas: HTMLCanvasElement; readonly number: number }>();
let orders = 0;
let worker: Worker | undefined;

/** Starts the worker. */
export function startEngine(access: Access): void {
  const url = new URL(WORKER_FILE, import.meta.url).href;
  const policy = trustedTypes?.createPolicy("orbifold", { createScriptURL: (text) => text });
  worker = new Worker((policy?.createScriptURL(url) ?? url) as string, { type: "module" });
  worker.onmessage = ({ data }: MessageEvent<FromWorker>) => receive(data);
  worker.onerror = () => {
    failure.value = "this browser cannot run the editor's engine";
  };
  post({ kind: "start", access });
}

/**
 * Renders an order into a canvas, which is busy meanwhile and gets an event `picture` after. Of several orders of a lane some may be left
 * out, but not the last one.
 */
export function show(order: Omit<Order, "number">, canvas: HTMLCanvasElement): void {
  const number = ++orders;
  shown.set(order.lane, { canvas, number });
  canvas.ariaBusy = "true";
  post({ kind: "render", order: { ...order, number } });
}

const post = (message: ToWorker) => worker?.postMessage(message);

function receive(message: FromWorker): void {
  const { lane, number } = message.order;
  const { canvas, number: newest } = shown.get(lane) ?? {};
  failure.value = message.kind === "failure" ? message.message : "";
  if (canvas === undefined) return;
  if (message.kind === "picture") {
    const { width, height } = message.picture;
    Object.assign(canvas, { width, height });
    canvas.dataset.backend = message.backend;
    // Takes the pixels as they are, where a context that draws would multiply them by alpha.
    canvas.getContext("bitmaprenderer")?.transferFromImageBitmap(message.picture);
  }
  if (number === newest) canvas.ariaBusy = "false";
  canvas.dispatchEvent(new Event("picture"));
}
