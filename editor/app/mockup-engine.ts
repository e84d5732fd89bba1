/** The engine of products in its worker, which is loaded with the first product. */
import { signal } from "@preact/signals";
import type {
  FromMockupWorker,
  MapAccess,
  MockupOrder,
  ToMockupWorker,
} from "../engine/protocol.ts";
import { API } from "../shared/api.ts";
import { openLevelPort, REST_MS, showPicture, startWorker } from "../shared/engine.ts";
import { tokenOf } from "./workspace.ts";

/** Name of the worker's file, which `editor/bundle.ts` puts here. */
declare const MOCKUP_WORKER_FILE: string;

/** Why the last product could not be drawn, or the products not be listed; null if they could. */
export const mockupFailure = signal<unknown>(null);

/** The canvas of each lane, and the number of its last order. */
const shown = new Map<string, { readonly canvas: HTMLCanvasElement; readonly number: number }>();
/** Orders that wait until nothing changes any more, by lane. */
const resting = new Map<string, MockupOrder>();
let rest: ReturnType<typeof setTimeout> | undefined;
let orders = 0;
let worker: Worker | undefined;

type WantedMockup = Omit<MockupOrder, "number" | "isDraft">;

/**
 * Draws an order into a canvas, which is busy meanwhile, once nothing changes any more.
 * @param draftSide of the smaller pictures that follow a hand; null for none
 */
export function showMockup(
  order: WantedMockup,
  canvas: HTMLCanvasElement,
  draftSide: MockupOrder["side"] | null,
): void {
  const { lane } = order;
  const number = ++orders;
  canvas.ariaBusy = "true";
  if (draftSide !== null) draw({ ...order, number, side: draftSide, isDraft: true });
  const last: MockupOrder = { ...order, number: ++orders, isDraft: false };
  shown.set(lane, { canvas, number: last.number });
  resting.set(lane, last);
  clearTimeout(rest);
  rest = setTimeout(() => {
    for (const order of resting.values()) draw(order);
    resting.clear();
  }, REST_MS);
}

function draw(order: MockupOrder): void {
  worker ??= start();
  worker.postMessage({ kind: "draw", order } satisfies ToMockupWorker);
}

function start(): Worker {
  const started = startWorker(MOCKUP_WORKER_FILE);
  const port = openLevelPort();
  const { maps: version = "" } = document.body.dataset;
  const maps: MapAccess = { api: API.href, token: tokenOf(), version };
  started.postMessage({ kind: "start", maps, port } satisfies ToMockupWorker, [port]);
  started.onmessage = ({ data }: MessageEvent<FromMockupWorker>) => receive(data);
  return started;
}

function receive(message: FromMockupWorker): void {
  const { canvas, number } = shown.get(message.lane) ?? {};
  mockupFailure.value = message.kind === "failure" ? message.failure : null;
  if (canvas === undefined) return;
  if (message.kind === "picture") showPicture(message.picture, canvas, worker);
  const isDone = message.kind === "failure" || !message.isDraft;
  if (isDone && message.number === number) canvas.ariaBusy = "false";
}
