import t from "tap";
import { formatIssues } from "../../engine/recipe/check.ts";
import { FORMATS, formatFacts, LIMITS } from "../../engine/recipe/index.ts";

const refusals = (format: (typeof FORMATS)[number], width: number, height: number) =>
  formatIssues({ format }, { width, height }).map(({ expected }) => expected);

t.test("png encodes any sheet, other formats up to their limits", async (t) => {
  const { maximum } = LIMITS.surface;
  t.strictSame(refusals("png", maximum, maximum), []);
  const limited = FORMATS.filter((format) => format !== "png");
  t.ok(limited.length > 0);
  for (const format of limited) {
    const { maximumPixels = Number.POSITIVE_INFINITY } = formatFacts[format];
    const width = 10_000;
    const height = Math.floor(maximumPixels / width);
    t.strictSame(refusals(format, width, height), [], format);
    t.equal(refusals(format, width, height + 1).length, 1, format);
  }
});

t.test("rejects a side above a format's maximum", async (t) => {
  t.strictSame(refusals("webp", 16383, 100), []);
  t.match(refusals("webp", 100, 16384), [/\bpng\b.*, or sides of at most 16383 pixels$/]);
  t.strictSame(refusals("avif", 16384, 100), []);
  t.match(refusals("avif", 16385, 100), [/\bpng\b.*, or sides of at most 16384 pixels$/]);
  t.strictSame(refusals("tiff", 20000, 100), []);
});

t.test("reports the issues of both sides", async (t) => {
  const issues = formatIssues({ format: "avif" }, { width: 20000, height: 4000 });
  t.strictSame(
    issues.map(({ path, message, received }) => ({ path, message, received })),
    [
      {
        path: "/format",
        message:
          "a picture in avif is made of the whole of it in memory; one of 20000 × 4000 pixels can be had as png",
        received: "avif with 80000000 pixels",
      },
      {
        path: "/format",
        message:
          "no side of a picture in avif can be longer than 16384 pixels; one of 20000 × 4000 pixels can be had as png",
        received: "avif of 20000 × 4000 pixels",
      },
    ],
  );
});
