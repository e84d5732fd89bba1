/** Pictures that only the owner may fetch, in canvases: the page's policy allows no other images. */
import { useEffect, useRef } from "preact/hooks";
import { request } from "./session.ts";

/** Settles when every picture so far is drawn. */
let drawn = Promise.resolve();

interface PictureProps {
  /** Path of the picture in the API. */
  readonly path: string;
  /** What it shows. */
  readonly label: string;
}

export function Picture({ path, label }: PictureProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    let isShown = true;
    const { current } = canvas;
    // One after the other: an account may have few renders in flight.
    drawn = drawn.then(async () => {
      if (current && isShown) await draw(path, current);
    });
    return () => {
      isShown = false;
    };
  }, [path]);
  return (
    <canvas ref={canvas} width={1} height={1} role="img" aria-label={label} aria-busy="true" />
  );
}

/** A picture that cannot be had stays blank: its label says what it would show. */
async function draw(path: string, canvas: HTMLCanvasElement): Promise<void> {
  try {
    const response = await request("GET", path);
    const bitmap = await createImageBitmap(await response.blob());
    Object.assign(canvas, { width: bitmap.width, height: bitmap.height });
    canvas.getContext("bitmaprenderer")?.transferFromImageBitmap(bitmap);
  } catch {
    canvas.classList.add("missing");
  }
  canvas.ariaBusy = "false";
}
