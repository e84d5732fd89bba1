import { readFile } from "node:fs/promises";
import sharp from "sharp";
import t from "tap";
import { decode, inspect } from "../../engine/decoders/decode.ts";
import { enlargementOf, prepareSvg } from "../../engine/decoders/svg.ts";
import { SourceUnreadable } from "../../engine/errors.ts";

const SPACES = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';

function svg(body: string, size = 'width="24" height="12"', before = ""): Buffer {
  return Buffer.from(`${before}<svg ${SPACES} ${size}>${body}</svg>`);
}

function solid(side: number): Promise<Buffer> {
  const background = { r: 10, g: 200, b: 30 };
  const create = { width: side, height: side, channels: 3, background } as const;
  return sharp({ create, limitInputPixels: false }).png({ compressionLevel: 9 }).toBuffer();
}

t.test("enlarges a small drawing, and keeps transparency", async (t) => {
  const drawing = svg('<circle cx="6" cy="6" r="5" fill="#c83c1e"/>');
  t.match(await inspect(drawing), {
    mediaType: "image/svg+xml",
    width: 2048,
    height: 1024,
    hasAlpha: true,
  });
  const { pixels } = await decode(drawing);
  t.same([...pixels.subarray(0, 4)], [0, 0, 0, 0], "corner");
  const middle = (512 * 2048 + 512) * 4;
  t.same([...pixels.subarray(middle, middle + 4)], [200, 60, 30, 255], "middle of the disc");
});

t.test("recognises a drawing after comments, instructions and a byte order mark", async (t) => {
  const before = '\ufeff<?xml version="1.0" encoding="UTF-8"?>\n<!-- made > by hand -->\n';
  t.match(await inspect(svg("<rect/>", 'viewBox="0 0 30 30"', before)), {
    width: 2048,
    height: 2048,
  });
});

t.test("keeps the size of a large drawing, and rejects one that is too large", async (t) => {
  t.match(await inspect(svg("<rect/>", 'width="3000" height="20"')), { width: 3000, height: 20 });
  const sheet = svg("<rect/>", 'width="60000" height="60000"');
  await t.rejects(inspect(sheet), { name: "SourceTooLarge", width: 60_000, height: 60_000 });
  await t.rejects(inspect(svg("<rect/>", 'width="0" height="0"')), SourceUnreadable);
});

t.test("allows references inside the drawing and embedded pictures", async (t) => {
  const picture = (await solid(8)).toString("base64");
  const drawing = svg(
    `<defs><linearGradient id="g"><stop/></linearGradient></defs>
     <rect width="24" height="12" fill="url(#g)"/><use xlink:href="#g"/>
     <image width="24" height="24" href="data:image/png;base64,${picture}"/>`,
  );
  const { pixels } = await decode(drawing);
  t.same([...pixels.subarray(0, 3)], [10, 200, 30]);
});

t.test("rejects external references", async (t) => {
  const outside = [
    '<image href="http://example.com/a.png"/>',
    "<image xlink:href='file:///etc/passwd'/>",
    '<image href = "../a.png"/>',
    '<image href="&#104;ttp://example.com/a.png"/>',
    '<image href="&#x2f;etc/passwd"/>',
    '<use href="other.svg#a"/>',
    '<image href="data:image/svg+xml;base64,AAAA"/>',
    '<rect fill="url(http://example.com/a.svg#g)"/>',
    "<style>rect { fill: url( 'file:///a.svg#g' ) }</style>",
    '<style>@import "http://example.com/a.css";</style>',
  ];
  for (const body of outside) await t.rejects(decode(svg(body)), /the SVG refers to/, body);
  const sheet = '<?xml-stylesheet href="#a"?>';
  await t.rejects(decode(svg("<rect/>", "", sheet)), /style sheet/);
});

t.test("rejects document types and encodings that could hide a reference", async (t) => {
  const before = '<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b SYSTEM "file:///etc/passwd">]>';
  await t.rejects(decode(svg("<text>&b;</text>", 'width="9" height="9"', before)), /document type/);
  const declared = '<?xml version="1.0" encoding="UTF-7"?>';
  await t.rejects(decode(svg("<rect/>", 'width="9" height="9"', declared)), /declared as UTF-7/);
});

t.test("rejects embedded pictures that are too large in total, too many, or corrupt", async (t) => {
  const tag = `<image href="data:image/png;base64,${(await solid(3000)).toString("base64")}"/>`;
  t.match(await inspect(svg(tag)), { width: 2048 });
  await t.rejects(decode(svg(tag + tag)), /pictures of 18000000 pixels together/);
  const dot = `<image href="data:image/png;base64,${(await solid(1)).toString("base64")}"/>`;
  t.match(await inspect(svg(dot.repeat(256))), { width: 2048 });
  await t.rejects(decode(svg(dot.repeat(257))), /more than 256 embedded pictures/);
  const broken = '<image href="data:image/png;base64,AAAA"/>';
  await t.rejects(decode(svg(broken)), /embedded picture/);
  const escaped = '<image href="data:image/png;base64,%69VBORw0KGgo="/>';
  await t.rejects(decode(svg(escaped)), SourceUnreadable);
});

t.test("rejects filters, which can take minutes in a small file", async (t) => {
  const filters = [
    '<filter id="f"><feTurbulence numOctaves="50"/></filter><rect filter="url(#f)"/>',
    '<rect style="&#102;ilter:blur(60px)"/>',
    '<rect style="\\66ilter:blur(60px)"/>',
    '<rect style="FIL\\54 ER:url(#f)"/>',
    '<a.b:filter xmlns:a.b="http://www.w3.org/2000/svg" id="f"/><rect filter="url(#f)"/>',
    "<style>rect{f\\69lter:blur(9px)}</style>",
    "<style><![CDATA[rect{filter:blur(9px)}]]></style>",
    '<rect style="fill:red;filter:blur(500px)"/>',
    '<rect filter = "blur(500px)"/>',
    "<style>rect{filter:blur(9px)}</style>",
  ];
  for (const body of filters) {
    await t.rejects(inspect(svg(body)), { name: "SourceUnreadable", message: /filters/ }, body);
  }
  await t.resolves(inspect(svg('<text id="filter-paper">a filter of paper</text>')));
  await t.resolves(inspect(svg('<filter id="unused"/><rect filter="none"/>')));
});

t.test("rejects a truncated drawing", async (t) => {
  const drawing = svg('<circle cx="6" cy="6" r="5"/>');
  await t.rejects(decode(drawing.subarray(0, drawing.length - 8)), SourceUnreadable);
});

/** A drawing in which each of `levels` groups uses the one before it ten times. */
const nested = (levels: number, use: (id: string) => string) => {
  const groups = Array.from(
    { length: levels },
    (_, level) => `<g id="l${level + 1}">${use(`l${level}`).repeat(10)}</g>`,
  );
  return `<svg ${SPACES} width="9" height="9"><defs><rect id="l0" width="1" height="1"/>${groups.join("")}</defs>${use(`l${levels}`)}</svg>`;
};

t.test("rejects a drawing whose expansion is too large at once", async (t) => {
  const uses = [
    (id: string) => `<use href="#${id}"/>`,
    (id: string) => `<use xlink:href='#${id}'></use>`,
    (id: string) => `<rect fill="url(#${id})"/>`,
    (id: string) => `<rect style="mask:url( '#${id}' )"/>`,
  ];
  for (const use of uses) {
    const few = Buffer.from(nested(2, use));
    t.equal(prepareSvg(few).pictures.length, 0);
    for (const levels of [6, 20]) {
      t.throws(() => prepareSvg(Buffer.from(nested(levels, use))), SourceUnreadable);
    }
  }
  const deep = Array.from(
    { length: 450 },
    (_, at) =>
      `<g id="d${at}">${"<g>".repeat(190)}<use href="#d${at + 1}"/>${"</g>".repeat(190)}</g>`,
  );
  t.throws(() => prepareSvg(svg(deep.join(""))), SourceUnreadable);
  t.same(prepareSvg(svg(`<style>a{fill:${"(".repeat(400_000)}</style>`)).pictures, []);
  const hidden = (id: string) => `<use href="&#35;${id}"/>`;
  t.throws(() => prepareSvg(Buffer.from(nested(6, hidden))), SourceUnreadable);
  const escaped = (id: string) => `<rect style="fi\\6cl:url(#${id})"/>`;
  t.throws(() => prepareSvg(Buffer.from(nested(6, escaped))), SourceUnreadable);
  const circle = '<svg><g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g></svg>';
  t.throws(() => prepareSvg(Buffer.from(circle)), SourceUnreadable);
  const chain = Array.from(
    { length: 5000 },
    (_, at) => `<g id="c${at + 1}"><use href="#c${at}"/></g>`,
  );
  t.throws(
    () => prepareSvg(Buffer.from(`<svg>${chain.reverse().join("")}</svg>`)),
    SourceUnreadable,
  );
  const styled = nested(5, uses[0]).replace("<defs>", "<style>g{fill:url(#l5)}</style><defs>");
  t.throws(() => prepareSvg(Buffer.from(styled)), SourceUnreadable);
});

t.test("scans other XML only once", async (t) => {
  const starts = [
    "<a '",
    '<a "',
    "<!--",
    "<a ",
    "</",
    "<style>",
    "<g id='x' href='#x",
    "<style",
    "<a&",
    "&#x41;",
  ];
  for (const start of starts) {
    const long = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${start.repeat(400_000)}`);
    try {
      prepareSvg(long);
    } catch (error) {
      t.ok(error instanceof SourceUnreadable);
    }
    t.pass(start);
  }
});

t.test("draws files of drawing programs unchanged", async (t) => {
  for (const name of ["inkscape", "illustrator"]) {
    const bytes = await readFile(new URL(`./drawings/${name}.svg`, import.meta.url));
    const { document } = prepareSvg(bytes);
    const [given, cleaned] = await Promise.all(
      [bytes, document].map((svg) => sharp(svg).resize(400).raw().toBuffer()),
    );
    t.ok(given.equals(cleaned), `${name}: the same pixels`);
    t.notMatch(document.toString(), /metadata|inkscape:|i:|script|example|foreign|DOCTYPE/);
    // Physical lengths are rounded to whole pixels before they are enlarged.
    t.ok(Math.abs((await inspect(bytes)).width - 2048) <= 4, name);
  }
});

t.test("removes elements that draw nothing or might hide content", (t) => {
  const drawing = svg(
    `<script>alert(1)</script><animate attributeName="x"/><rect onclick="x()" x="1" data-x="2"
      xml:base="http://example.com/" fill="u\\72l(http://example.com/)" style="--a:url(x);color:red;fill:v\\61r(--a)"/>
     <x:rect xmlns:x="urn:other" width="5"/><foreignObject><rect/></foreignObject>
     <style>@media print{rect{fill:red}} rect:hover{fill:red} a,.b c>rect{stroke:blue;behavior:url(x)}</style>`,
  );
  t.equal(
    prepareSvg(drawing).document.toString().replace(/\n\s*/g, ""),
    '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="12"><rect x="1" style="color:red"></rect><style>a,.b c&gt;rect{stroke:blue}</style></svg>',
  );
  t.end();
});

t.test("draws a drawing of many layers smaller, or rejects it", async (t) => {
  const layered: Record<string, string> = {
    opacity: '<g opacity=".5"><rect width="24" height="12"/></g>',
    style: '<g style="opacity:&#46;5"><rect width="24" height="12"/></g>',
    sheet: '<g class="o"><rect width="24" height="12"/></g>',
    mask: '<rect mask="url(#m)"/>',
    blend: '<g style="mix-blend-mode:screen"><rect width="24" height="12"/></g>',
    pattern: '<rect fill="url(#p)"/>',
    nested: '<use href="#n"/>',
  };
  const defs = `<style>.o{opacity:.5}</style><defs><mask id="m"><rect width="9" height="9"/></mask>
    <pattern id="p" width="9" height="9"><rect width="9" height="9"/></pattern><g id="n" opacity=".5"/></defs>`;
  for (const [name, shape] of Object.entries(layered)) {
    const { layers } = prepareSvg(svg(defs + shape.repeat(1500)));
    t.ok(layers >= 1500, `${name}: ${layers} layers`);
    if (name === "mask") t.throws(() => enlargementOf(24, 12, layers), /too many/);
    else t.ok(layers * 288 * enlargementOf(24, 12, layers) ** 2 <= 2.001e9, name);
  }
  const facts = await inspect(svg(defs + layered.opacity.repeat(1500)));
  t.ok(facts.width > 1600 && facts.width < 1650, `${facts.width} pixels wide`);
  await t.rejects(inspect(svg(defs + layered.opacity.repeat(20_000))), /layers .*too many/);
  t.equal(enlargementOf(24, 12, 3), 2048 / 24, "a few change nothing");
  t.equal(enlargementOf(6000, 3000, 0), 1);
});

t.test("limits the sides of drawings and of embedded pictures", async (t) => {
  const long = { name: "SourceTooLarge", message: /32767 on a side/ };
  await t.rejects(inspect(svg("<rect/>", 'width="32768" height="2"')), long);
  const create = { width: 1, height: 32_768, channels: 3, background: "#000" } as const;
  const png = await sharp({ create }).png().toBuffer();
  await t.rejects(inspect(png), long);
  const image = `<image href="data:image/png;base64,${png.toString("base64")}"/>`;
  await t.rejects(inspect(svg(image)), long);
});
