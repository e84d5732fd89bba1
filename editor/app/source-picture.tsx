/** A source, drawn small. */
import { useEffect, useRef } from "preact/hooks";
import type { Source } from "../../server/actions/sources.ts";
import type { ShownSource } from "../engine/protocol.ts";
import { send } from "../shared/api.ts";
import { t, titleOf } from "../shared/messages.ts";
import { tokenOf } from "./workspace.ts";

/** Longest side of a thumbnail in pixels, at most. */
export const SOURCE_THUMBNAIL = 160;

/** Returns what a source is called: its preset, its URL or its number. */
export const nameOfSource = ({ id, preset, url }: Source) =>
  (preset && titleOf("preset", preset, preset)) ?? url ?? t("pictures.one", { number: String(id) });

export interface SourcePictureProps {
  readonly source: ShownSource;
  /** Longest side in pixels, at most. */
  readonly side: number;
}

/** Settles when every picture so far is drawn. */
let drawn = Promise.resolve();

export function SourcePicture({ source, side }: SourcePictureProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const { current } = canvas;
    // One after the other: a session may have few requests in flight.
    if (current !== null) drawn = drawn.then(() => draw(source, side, current));
  }, [source, side]);
  return <canvas ref={canvas} width={1} height={1} />;
}

/** A picture that cannot be had stays blank. */
async function draw(source: ShownSource, side: number, canvas: HTMLCanvasElement): Promise<void> {
  try {
    const picture = await createImageBitmap(source.file ?? (await levelOf(source, side)));
    Object.assign(canvas, { width: picture.width, height: picture.height });
    canvas.getContext("bitmaprenderer")?.transferFromImageBitmap(picture);
  } catch {
    canvas.width = 1;
  }
}

async function levelOf({ id, width, height }: ShownSource, side: number): Promise<Blob> {
  const octaves = Math.ceil(Math.log2(Math.max(width, height) / side));
  const path = `sources/${id}/levels/${2 * Math.max(0, octaves)}`;
  return (await send("GET", path, { token: tokenOf() })).blob();
}
