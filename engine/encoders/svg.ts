import type { Affine } from "../geometry/affine.ts";
import type { Path, VectorPicture } from "./vector-picture.ts";

/** Encodes a picture as SVG 1.1, with a layer of that name in Inkscape and Illustrator for each colour. */
export function encodeSvg({
  title,
  width,
  height,
  widthMm,
  layers,
  copies,
}: VectorPicture): Uint8Array {
  const heightMm = (widthMm * height) / width;
  const shapes = layers.map(
    ({ paths }, n) => `<path id="shape-${n + 1}" d="${paths.map(pathData).join("")}"/>`,
  );
  const groups = layers.map(({ name, colour }, n) => {
    const uses = copies.map(
      (copy) => `<use xlink:href="#shape-${n + 1}" transform="matrix(${matrixOf(copy)})"/>`,
    );
    return `<g id="ink-${n + 1}" inkscape:groupmode="layer" inkscape:label="${escaped(name)}" fill="${colour}" fill-rule="evenodd">
${uses.join("\n")}
</g>`;
  });
  return new TextEncoder().encode(`<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" version="1.1" width="${decimal(widthMm)}mm" height="${decimal(heightMm)}mm" viewBox="0 0 ${decimal(width)} ${decimal(height)}">
<title>${escaped(title)}</title>
<defs>
${shapes.join("\n")}
</defs>
${groups.join("\n")}
</svg>
`);
}

/** Returns a closed path, each point relative to the start of its curve. */
function pathData({ start, curves }: Path): string {
  const parts = [`M${start.x} ${start.y}c`];
  let { x, y } = start;
  let isFirst = true;
  for (const curve of curves) {
    for (const point of curve) {
      for (const value of [point.x - x, point.y - y]) {
        // A minus separates numbers as well as a space does.
        parts.push(value < 0 || isFirst ? String(value) : ` ${value}`);
        isFirst = false;
      }
    }
    ({ x, y } = curve[2]);
  }
  return `${parts.join("")}z`;
}

const matrixOf = ({ a, b, c, d, e, f }: Affine) => [a, c, b, d, e, f].map(decimal).join(" ");

/** Rounds to a millionth. */
const decimal = (value: number) => String(Number(value.toFixed(6)) || 0);

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", '"': "&quot;" };

const escaped = (text: string) => text.replace(/[&<"]/g, (character) => ENTITIES[character]);
