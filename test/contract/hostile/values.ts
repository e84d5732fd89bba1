/** Values that a service should refuse, or at least survive. */
import type { Schema } from "../document.ts";
import { Raw } from "./json-text.ts";
import { HOSTILE_PICTURES, PNG } from "./pictures.ts";
import type { Random } from "./random.ts";

const own = (name: string, value: unknown) => Object.fromEntries([[name, value]]);

const deep = (levels: number, open: string, inside: string, close: string) =>
  new Raw(open.repeat(levels) + inside + close.repeat(levels));

export const TEXTS = [
  "",
  " ",
  "null",
  "NaN",
  "Infinity",
  "-Infinity",
  "1",
  "0x10",
  "1e3",
  "true",
  "\u0000",
  "a\u0000b",
  "\ud800",
  "\udfff\ud800",
  "\uffff\ufeff",
  "\u202etxet\u202c ا",
  "👩‍👩‍👧‍👦",
  "𝒳",
  "é\u0301\u0301\u0301",
  "ﷺ",
  "１６",
  "İstanbul ſß",
  "\r\nSet-Cookie: a=b",
  "\u001b[31m\u0007\u007f",
  "' or 1=1 --",
  "'); drop table patterns; --",
  '"; select pg_sleep(9); --',
  "$1 %s %n {0}",
  "../../../../etc/passwd",
  "..\\..\\windows\\win.ini",
  "/etc/passwd\u0000.png",
  "<script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "{{7*7}}<%= 7*7 %>$(id)`id`",
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "#ffffff\n",
  "#GGGGGG",
  "P4",
  "p4 ",
  "*442",
  "*∞∞",
  "2026-13-45T99:99:99Z",
  "data:image/png;base64,AAAA",
  "file:///etc/passwd",
  "http://127.0.0.1:1/",
  "http://[::1]:1/",
  "http://[::ffff:127.0.0.1]:1/",
  "http://0x7f.1:1/",
  "http://017700000001:1/",
  "http://169.254.169.254/latest/meta-data",
  "http://user:password@127.0.0.1:1/",
  "http://127.0.0.1:99999/",
  "http://１２７.0.0.1:1/",
  "https://localhost:1/../../",
  "gopher://127.0.0.1:1/_a",
  "javascript:alert(1)",
  "http://",
  "ada@example.com\nbcc: eve@example.com",
  "@",
  "x".repeat(256),
  "é".repeat(5000),
  "😀".repeat(3000),
  "a".repeat(100_000),
  "A=".repeat(50_000),
  "=".repeat(50_000),
  `${PNG.toString("base64")}${"=".repeat(1000)}`,
  ...HOSTILE_PICTURES.map((bytes) => bytes.toString("base64")),
];

const NUMBERS = [
  0,
  -1,
  0.5,
  1e-9,
  1e308,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  -(2 ** 63),
  new Raw("-0"),
  new Raw("1e309"),
  new Raw("-1e309"),
  new Raw("1e-400"),
  new Raw("9007199254740993"),
  new Raw("9".repeat(400)),
  new Raw("0.1e2"),
  new Raw("17.0"),
];

const SHAPES = [
  null,
  null,
  true,
  false,
  [],
  {},
  [null],
  [[]],
  [{}],
  Array(300).fill(0),
  Array(300).fill("#ffffff"),
  Array(300).fill({ id: "grain" }),
  { id: "grain", params: { strength: 1e308 } },
  [{ id: "palette_map", params: { palette: [] } }],
  [{ id: "constructor" }, { id: "__proto__", params: {} }],
  [{ id: "grain", params: own("__proto__", { strength: 1 }) }],
  own("__proto__", { admin: true }),
  { constructor: { prototype: { admin: true } } },
  { toString: "x", valueOf: 1, toJSON: null },
  { length: 2 ** 32, 0: "a" },
  own("then", "x"),
  deep(30, "[", "", "]"),
  deep(63, '{"a":', "1", "}"),
  deep(70, "[", "", "]"),
  deep(3000, '{"a":', "null", "}"),
];

/** Dangerous member names. */
export const NAMES = [
  "__proto__",
  "constructor",
  "toString",
  "",
  "a.b",
  "a/b~c",
  "\u0000",
  "😀",
  "x".repeat(5000),
];

/** Any value, or one at or beyond the limits of the schema. */
export function hostileValue(schema: Schema, random: Random): unknown {
  const bounds = boundsOf(schema);
  if (bounds.length > 0 && random.chance(0.45)) return random.pick(bounds);
  return random.pick<unknown>(random.pick<readonly unknown[]>([TEXTS, NUMBERS, SHAPES]));
}

/** Values at the limits of a schema, within and beyond. */
function boundsOf(schema: Schema): unknown[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, items, anyOf } = schema;
  const around = (limit: number | undefined) =>
    limit === undefined ? [] : [limit - 1, limit, limit + 1, limit + 0.5, -limit, String(limit)];
  const long = (length: number | undefined) =>
    length === undefined
      ? []
      : [length - 1, length, length + 1]
          .filter((one) => one >= 0)
          .flatMap((one) => ["x".repeat(one), "😀".repeat(one), " ".repeat(one)]);
  const many = (count: number | undefined) =>
    count === undefined
      ? []
      : [count - 1, count + 1].map((one) => Array(Math.max(0, one)).fill(sampleOf(items)));
  const words = (schema.enum ?? []).flatMap((word) => [
    word,
    `${word} `,
    String(word).toUpperCase(),
  ]);
  return [
    ...around(minimum),
    ...around(maximum),
    ...long(minLength),
    ...long(maxLength),
    ...many(minItems),
    ...many(maxItems),
    ...words,
    ...(anyOf ?? []).flatMap(boundsOf),
    ...(schema.type === "boolean" ? ["true", 1] : []),
  ];
}

function sampleOf(schema: Schema | undefined): unknown {
  if (schema?.type === "string") return "#123456";
  return schema?.type === "object" ? { id: "contrast" } : 1;
}
