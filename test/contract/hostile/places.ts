/** Invalid paths, queries and headers. */
import type { Operation } from "../document.ts";
import type { Random } from "./random.ts";
import { TEXTS } from "./values.ts";

/** Replacements for a number or a name in a path. */
const SEGMENTS = [
  "0",
  "-1",
  "+1",
  "1e3",
  "1.0",
  "1.5",
  "0x1",
  "01",
  "NaN",
  "null",
  "9007199254740991",
  "9007199254740992",
  "9223372036854775808",
  "99999999999999999999999999",
  "%00",
  "1%00",
  "%20",
  "%EF%BC%91",
  "%F0%9F%98%80",
  "%E0%A4%A",
  "%",
  "%C0%AE%C0%AE",
  "..",
  "../..",
  "..%2f..%2fetc%2fpasswd",
  "%2e%2e",
  "",
  "/",
  ";",
  "1;2",
  "1,2",
  "*",
  "__proto__",
  "constructor",
  "%27%20or%201=1--",
  "%3Cscript%3E",
  "x".repeat(4000),
];

/** A path with its parameter, or its surroundings, replaced. */
export function wrongPath(template: string, random: Random): string {
  const segment = random.pick(SEGMENTS);
  if (template.includes("{") && random.chance(0.85))
    return template.replace(/\{\w+\}/, () => segment);
  const path = template.replace(/\{\w+\}/g, "1");
  return random.pick([
    `${path}/`,
    `${path}/${segment}`,
    `/${path}`,
    path.replaceAll("/", "//"),
    path.toUpperCase(),
    path.slice(0, -1),
    `${path}%00`,
    `${path}.json`,
    `/%2e%2e${path}`,
  ]);
}

/** Any values of a query parameter of this name. */
export function wrongQuery(name: string, random: Random): string {
  const text = encodeURIComponent(random.pick(TEXTS).toWellFormed().slice(0, 2000));
  return random.pick([
    `${name}=${text}`,
    `${name}=${text}`,
    `${name}=${text}`,
    `${name}=`,
    name,
    `${name}[]=16`,
    `${name}[a]=16`,
    `${name}=16&${name}=17`,
    `${name}=%ZZ`,
    `${name}=%00`,
    `${name}=%C3%28`,
    `${name}=%5B%5B%5B`,
    `${name}=${"%5B".repeat(100)}`,
    `${name}=%7B%22__proto__%22:1%7D`,
    `${name}=1,2`,
    `${name}=1e400,-1e400`,
    `${name}=,`,
    `${name}=+`,
    `__proto__=1`,
    `__proto__[${name}]=1`,
    `constructor=${text}`,
    "&&&",
    "=",
    "%",
    "a=1&".repeat(500),
    `${"n".repeat(3000)}=1`,
    `${name};a=1`,
  ]);
}

const TAGS = [
  "*",
  '""',
  '"a"',
  'W/"1-1"',
  '"1-1", *',
  "nonsense",
  '"',
  '"a",'.repeat(500),
  "\u00ff",
];

const HEADERS: Readonly<Record<string, readonly string[]>> = {
  "If-Match": TAGS,
  "If-None-Match": TAGS,
  "If-Range": TAGS,
  Range: [
    "bytes=0-0",
    "bytes=-1",
    "bytes=-0",
    "bytes=5-1",
    "bytes=--1",
    "bytes=",
    "bytes=a-b",
    "bytes=0-99999999999999999999",
    "bytes=99999999999999999999-",
    `bytes=${"0-1,".repeat(500)}`,
    "items=0-1",
    "0-1",
  ],
  "Idempotency-Key": [
    "",
    "k1",
    "k1",
    "k2",
    "a b",
    "\u00e9",
    "'; drop table idempotency; --",
    "x".repeat(255),
    "x".repeat(256),
  ],
  "Content-Type": [
    "",
    "text/plain",
    "text/json",
    "application/vnd.api+json",
    "APPLICATION/JSON",
    "application/json; charset=utf-16",
    "application/json; charset=nonsense",
    'application/json; charset="',
    "application/json, text/html",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "multipart/form-data; boundary=",
    'multipart/form-data; boundary="',
    "multipart/form-data; boundary=x",
    `multipart/form-data; boundary=${"x".repeat(300)}`,
    "*/*",
    "\u00ff/\u00ff",
  ],
  Accept: [
    "",
    "text/html",
    "*/*;q=0",
    "application/json;q=abc",
    "image/*",
    "\u00ff",
    "a,".repeat(1000),
  ],
  "Accept-Encoding": ["gzip;q=0, *;q=0", "br", "identity;q=0"],
  Authorization: [
    "",
    "Bearer",
    "Bearer ",
    "Basic YTpi",
    "bearer pf_",
    "Bearer a.b.c",
    "Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.",
    "\u00ff",
    `Bearer ${"x".repeat(5000)}`,
  ],
  "X-API-Key": [
    "",
    "pf_",
    "null",
    "\u00ff",
    "pf_' or 1=1 --",
    `pf_${"x".repeat(38)}`,
    "x".repeat(5000),
  ],
  "X-Request-Id": ["", "a b", "\u00ff", "x".repeat(1000), "<script>"],
  "X-Forwarded-For": [
    "",
    "nonsense",
    "::1",
    "fe80::1%eth0",
    "1.2.3.4, 5.6.7.8",
    "999.999.999.999",
    "x".repeat(2000),
  ],
  "X-HTTP-Method-Override": ["DELETE"],
  Cookie: ["__proto__=1; constructor=2", ";;;="],
  Host: ["nonsense:port", "evil.example", "[::1"],
  Connection: ["close"],
  Expect: ["100-continue"],
};

/** A header and its value; half of the time one that the operation reads. */
export function wrongHeader({ parameters }: Operation, random: Random): readonly [string, string] {
  const own = parameters.filter((one) => one.in === "header").map(({ name }) => name);
  const name = random.pick(own.length > 0 && random.chance(0.5) ? own : Object.keys(HEADERS));
  return [name, random.pick(HEADERS[name] ?? TAGS)];
}
