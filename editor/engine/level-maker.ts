/** Makes the levels of sources in a thread of their own: decoding a fine one takes longer than a frame. */
import {
  type ByteImage,
  LIMITS,
  lastLevel,
  levelSize,
  levelsFromOctave,
  octaveWithin,
  prepareLevels,
  type SourceLevels,
} from "../../engine/core.ts";
import { decodePng } from "./decode-png.ts";
import { fetchBytes } from "./fetch-bytes.ts";
import type { Access, LevelReply, LevelRequest, ShownSource } from "./protocol.ts";
import { failureOf, WorkerError } from "./worker-error.ts";

/** Answers the requests that come in at a port. */
export function serveLevels(access: Access, port: MessagePort): void {
  const reply = (message: LevelReply, transfer: Transferable[] = []) =>
    port.postMessage(message, transfer);
  port.onmessage = async ({ data: { number, source, level } }: MessageEvent<LevelRequest>) => {
    try {
      const { memory } = await makeLevels(access, source, level);
      reply({ number, memory: memory as ArrayBuffer }, [memory as ArrayBuffer]);
    } catch (error) {
      reply({ number, failure: failureOf(error) });
    }
  };
}

/**
 * Makes a level and all coarser ones. Where no level as fine is sent, the finest one that is takes the
 * place of the source itself: such a picture is softer than the server's.
 */
async function makeLevels(
  access: Access,
  source: ShownSource,
  level: number,
): Promise<SourceLevels> {
  const octave = level - (level % 2);
  const { width, height } = levelSize(source, octave);
  const { levelPixels } = LIMITS.source;
  const levels =
    width * height > levelPixels
      ? prepareLevels(await imageOf(access, source, octaveWithin(source, levelPixels)))
      : levelsFromOctave(source, octave, await imageOf(access, source, octave));
  for (let one = levels.finest; one <= lastLevel(levels); one++) levels.level(one);
  return levels;
}

const imageOf = (access: Access, source: ShownSource, level: number): Promise<ByteImage> =>
  source.file === undefined
    ? fetchImage(access, source, level)
    : decodeFile(source.file, levelSize(source, level));

async function fetchImage(
  { api, token }: Access,
  { id, png }: ShownSource,
  level: number,
): Promise<ByteImage> {
  const url = new URL(png ?? `sources/${id}/levels/${level}`, api);
  return decodePng(await fetchBytes(url, token));
}

/** Decodes a file as this browser does, which is near enough to look at while it is uploaded. */
async function decodeFile(
  file: Blob,
  { width, height }: { readonly width: number; readonly height: number },
): Promise<ByteImage> {
  const options = { resizeWidth: width, resizeHeight: height, resizeQuality: "high" } as const;
  const picture = await createImageBitmap(file, options);
  const context = new OffscreenCanvas(width, height).getContext("2d");
  if (context === null) {
    throw new WorkerError({ code: "unsupported", message: "this browser cannot read pictures" });
  }
  context.drawImage(picture, 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  return { width, height, channels: 4, pixels: new Uint8Array(data.buffer) };
}
