/** Encodes a picture of flat colours as a one-page PDF. */
import { deflateSync } from "node:zlib";
import type { Affine } from "../../geometry/affine.ts";
import { SRGB_PROFILE } from "../icc.ts";
import type { Path, VectorLayer, VectorPicture } from "../vector-picture.ts";
import {
  array,
  createPdfFile,
  dictionary,
  nameOf,
  PRODUCER,
  reals,
  reference,
  text,
} from "./file.ts";
import { points } from "./page-objects.ts";

/**
 * Returns a PDF in which each layer has a spot colour of its name (§8.6.6.4), by which presses tell inks apart.
 * Screens show it in sRGB.
 */
export function encodeVectorPdf(picture: VectorPicture): Uint8Array {
  const { title, width, height, widthMm, layers, copies } = picture;
  const scale = points(widthMm) / width;
  const box = array([0, 0, width * scale, height * scale]);
  const file = createPdfFile();
  const [catalog, pages, page, content, profile, about] = Array.from({ length: 6 }, file.reserve);
  const shapes = layers.map(() => file.reserve());
  const compressed = { Filter: "/FlateDecode" };
  const deflated = (code: string) => deflateSync(Buffer.from(code, "latin1"));
  const named = (prefix: string, values: readonly string[]) =>
    dictionary(Object.fromEntries(values.map((value, n) => [`${prefix}${n + 1}`, value])));

  file.object(catalog, dictionary({ Type: "/Catalog", Pages: reference(pages) }));
  file.object(pages, dictionary({ Type: "/Pages", Kids: `[${reference(page)}]`, Count: "1" }));
  file.object(
    page,
    dictionary({
      Type: "/Page",
      Parent: reference(pages),
      MediaBox: box,
      TrimBox: box,
      Resources: dictionary({
        XObject: named("Shape", shapes.map(reference)),
        ColorSpace: named(
          "Ink",
          layers.map((layer) => spotColour(layer, reference(profile))),
        ),
      }),
      Contents: reference(content),
    }),
  );
  const drawn = layers.flatMap((_, n) => [
    `/Ink${n + 1} cs 1 scn`,
    ...copies.map((copy) => `q ${matrixOf(copy)} cm /Shape${n + 1} Do Q`),
  ]);
  // Coordinates have y down. The scale is multiplied by tens of thousands.
  const unit = scale.toFixed(12);
  const toPage = `${unit} 0 0 -${unit} 0 ${reals([height * scale])} cm`;
  file.stream(content, compressed, deflated(`${[toPage, ...drawn].join("\n")}\n`));
  layers.forEach(({ paths }, n) => {
    const entries = { Type: "/XObject", Subtype: "/Form", BBox: array(boundsOf(paths)) };
    const code = `${paths.map(pathOperators).join("\n")}\nf*\n`;
    file.stream(shapes[n], { ...entries, ...compressed }, deflated(code));
  });
  file.stream(profile, { N: "3", ...compressed }, deflateSync(SRGB_PROFILE.bytes));
  file.object(
    about,
    dictionary({ Title: text(title), Producer: text(PRODUCER), Trapped: "/False" }),
  );
  file.end(catalog, about);
  return file.take();
}

function spotColour({ name, colour }: VectorLayer, profile: string): string {
  const packed = Number.parseInt(colour.slice(1), 16);
  const tint = dictionary({
    FunctionType: "2",
    Domain: "[0 1]",
    C0: "[1 1 1]",
    C1: array([packed >> 16, (packed >> 8) & 255, packed & 255].map((value) => value / 255)),
    N: "1",
  });
  return `[/Separation ${nameOf(name)} [/ICCBased ${profile}] ${tint}]`;
}

function pathOperators({ start, curves }: Path): string {
  const lines = curves.map((curve) => `${curve.map(({ x, y }) => `${x} ${y}`).join(" ")} c`);
  return `${start.x} ${start.y} m\n${lines.join("\n")}\nh`;
}

/** Returns the least and largest coordinates of all points. */
function boundsOf(paths: readonly Path[]): number[] {
  const bounds = [0, 0, 0, 0];
  for (const { start, curves } of paths) {
    for (const { x, y } of [start, ...curves.flat()]) {
      bounds[0] = Math.min(bounds[0], x);
      bounds[1] = Math.min(bounds[1], y);
      bounds[2] = Math.max(bounds[2], x);
      bounds[3] = Math.max(bounds[3], y);
    }
  }
  return bounds;
}

const matrixOf = ({ a, b, c, d, e, f }: Affine) => reals([a, c, b, d, e, f]);
