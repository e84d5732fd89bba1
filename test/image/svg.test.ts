import sharp from "sharp";
import t from "tap";
import { SourceTooLarge, SourceUnreadable } from "../../engine/errors.ts";
import { decode, inspect } from "../../engine/image/decode.ts";
import { embeddedPictures } from "../../engine/image/svg.ts";

const SPACES = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';

function svg(body: string, size = 'width="24" height="12"', before = ""): Buffer {
  return Buffer.from(`${before}<svg ${SPACES} ${size}>${body}</svg>`);
}

function solid(side: number): Promise<Buffer> {
  const background = { r: 10, g: 200, b: 30 };
  const create = { width: side, height: side, channels: 3, background } as const;
  return sharp({ create, limitInputPixels: false }).png({ compressionLevel: 9 }).toBuffer();
}

t.test("draws a small drawing large, and keeps what is transparent", async (t) => {
  const drawing = svg('<circle cx="6" cy="6" r="5" fill="#c83c1e"/>');
  t.same(await inspect(drawing), {
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

t.test("knows a drawing behind comments, instructions and a byte order mark", async (t) => {
  const before = '\ufeff<?xml version="1.0" encoding="UTF-8"?>\n<!-- made > by hand -->\n';
  t.match(await inspect(svg("<rect/>", 'viewBox="0 0 30 30"', before)), {
    width: 2048,
    height: 2048,
  });
});

t.test("keeps the size of a large drawing and refuses one that is too large", async (t) => {
  t.match(await inspect(svg("<rect/>", 'width="3000" height="20"')), { width: 3000, height: 20 });
  const sheet = svg("<rect/>", 'width="60000" height="60000"');
  await t.rejects(inspect(sheet), new SourceTooLarge(60_000, 60_000, 50_000_000));
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

t.test("refuses references to anything outside", async (t) => {
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

t.test("refuses document types and encodings that could hide a reference", async (t) => {
  const before = '<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b SYSTEM "file:///etc/passwd">]>';
  await t.rejects(decode(svg("<text>&b;</text>", 'width="9" height="9"', before)), /document type/);
  const declared = '<?xml version="1.0" encoding="UTF-7"?>';
  await t.rejects(decode(svg("<rect/>", 'width="9" height="9"', declared)), /declared as UTF-7/);
});

t.test("refuses embedded pictures that are too large together, too many, or broken", async (t) => {
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

t.test(
  "refuses filters, in which a small file could keep the rasteriser for minutes",
  async (t) => {
    const filters = [
      '<filter id="f"><feTurbulence numOctaves="50"/></filter><rect filter="url(#f)"/>',
      '<s:filter xmlns:s="http://www.w3.org/2000/svg" id="f"/>',
      '<rect style="fill:red;filter:blur(500px)"/>',
      '<rect filter = "blur(500px)"/>',
      "<style>rect{filter:blur(9px)}</style>",
    ];
    for (const body of filters) {
      await t.rejects(inspect(svg(body)), { name: "SourceUnreadable", message: /filters/ }, body);
    }
    await t.resolves(inspect(svg('<text id="filter-paper">a filter of paper</text>')));
  },
);

t.test("refuses a drawing that is cut short", async (t) => {
  const drawing = svg('<circle cx="6" cy="6" r="5"/>');
  await t.rejects(decode(drawing.subarray(0, drawing.length - 8)), SourceUnreadable);
});

/** A drawing in which each of `levels` groups uses the one before it ten times. */
const nested = (levels: number, use: (id: string) => string) => {
  const groups = Array.from(
    { length: levels },
    (_, level) => `<g id="l${level + 1}">${use(`l${level}`).repeat(10)}</g>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><defs><rect id="l0" width="1" height="1"/>${groups.join("")}</defs>${use(`l${levels}`)}</svg>`;
};

t.test("a drawing that draws more than it says is refused at once", async (t) => {
  const uses = [
    (id: string) => `<use href="#${id}"/>`,
    (id: string) => `<use xlink:href='#${id}'></use>`,
    (id: string) => `<rect fill="url(#${id})"/>`,
    (id: string) => `<rect style="mask:url( '#${id}' )"/>`,
  ];
  for (const use of uses) {
    const few = Buffer.from(nested(2, use));
    t.equal(embeddedPictures(few).length, 0);
    for (const levels of [6, 20]) {
      t.throws(() => embeddedPictures(Buffer.from(nested(levels, use))), SourceUnreadable);
    }
  }
  const circle = '<svg><g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g></svg>';
  t.throws(() => embeddedPictures(Buffer.from(circle)), SourceUnreadable);
  const chain = Array.from(
    { length: 5000 },
    (_, at) => `<g id="c${at + 1}"><use href="#c${at}"/></g>`,
  );
  t.throws(
    () => embeddedPictures(Buffer.from(`<svg>${chain.reverse().join("")}</svg>`)),
    SourceUnreadable,
  );
  const styled = `<svg><style>.a{fill:url(#l5)}</style>${nested(5, uses[0]).slice(5)}`;
  t.throws(() => embeddedPictures(Buffer.from(styled)), SourceUnreadable);
});

t.test("what is no drawing at all is looked through once", async (t) => {
  const starts = ["<a '", '<a "', "<!--", "<a ", "</", "<style>", "<g id='x' href='#x"];
  for (const start of starts) {
    const long = Buffer.from(start.repeat(400_000));
    try {
      embeddedPictures(long);
    } catch (error) {
      t.ok(error instanceof SourceUnreadable);
    }
    t.pass(start);
  }
});
