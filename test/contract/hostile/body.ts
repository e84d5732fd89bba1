/** Bodies with some invalid places, and malformed bodies. */
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import type { Schema } from "../document.ts";
import { isObject, jsonText, Raw, read } from "./json-text.ts";
import type { Random } from "./random.ts";
import { hostileValue, NAMES, TEXTS } from "./values.ts";

/** A place in a body: the path of names, and the schema there. */
export interface Place {
  readonly names: readonly string[];
  readonly schema: Schema;
}

/** Lists every named place of a schema; of an array, its first item. */
export function placesOf(schema: Schema, names: readonly string[] = []): Place[] {
  const members = Object.entries(schema.properties ?? {}).flatMap(([name, member]) =>
    placesOf(member, [...names, name]),
  );
  const items = schema.items ? placesOf(schema.items, [...names, "0"]) : [];
  const variants = (schema.anyOf ?? []).flatMap((one) =>
    placesOf(one, names).filter((place) => place.names.length > names.length),
  );
  return [{ names, schema }, ...members, ...items, ...variants];
}

/** Returns the value with a place replaced, creating missing parents. */
function changeAt(
  value: unknown,
  names: readonly string[],
  change: (there: unknown) => unknown,
): unknown {
  const [name, ...rest] = names;
  if (name === undefined) return change(value);
  if (name === "0") {
    const [first, ...others] = Array.isArray(value) ? value : [];
    return [changeAt(first ?? {}, rest, change), ...others];
  }
  const object = isObject(value) ? value : {};
  return { ...object, [name]: changeAt(object[name], rest, change) };
}

/** A body that is valid except for one to three places. */
export function wrongBody(base: unknown, places: readonly Place[], random: Random): unknown {
  let body = base;
  for (let count = 1 + random.below(3); count > 0; count--) {
    const { names, schema } = random.pick(places);
    // The whole body is one of many places; otherwise it would be replaced too often.
    if (names.length === 0 && random.chance(0.7)) continue;
    body = changeAt(body, names, (there) => {
      if (isObject(there) && random.chance(0.5)) return misshapen(there, random);
      return hostileValue(schema, random);
    });
  }
  return body;
}

/** An object with one member removed, added or duplicated. */
function misshapen(object: Readonly<Record<string, unknown>>, random: Random): unknown {
  const members = Object.entries(object);
  const extra = [random.pick(NAMES), random.pick(TEXTS)] as const;
  if (random.chance(0.3)) return Object.fromEntries([...members, extra]);
  if (members.length === 0) return { unknown: null };
  const [name, value] = random.pick(members);
  if (random.chance(0.5)) return Object.fromEntries(members.filter(([one]) => one !== name));
  const text = jsonText(object).slice(1, -1);
  return new Raw(`{${text},${JSON.stringify(name)}:${jsonText(value)}}`);
}

/** Sides of pictures, which can make a valid request expensive. */
export const EDGES = ["size", "surface_width", "surface_height"];

/** Sides from here on are replaced, if they would be accepted. */
export const EXPENSIVE = 100;

/** Replaces sides by small or oversized ones: the body stays as invalid as it was. */
export function cheap(body: unknown, { properties = {} }: Schema): unknown {
  const { size } = properties;
  if (!size) return body;
  if (body instanceof Raw) {
    const inside = read(body);
    const cheaper = cheap(inside, { properties });
    return cheaper === inside ? body : cheaper;
  }
  return isObject(body) ? cheapObject(body, properties) : body;
}

function cheapObject(body: Record<string, unknown>, properties: Readonly<Record<string, Schema>>) {
  const changed = EDGES.filter((name) => {
    const { minimum = 0, maximum = 0 } = properties[name] ?? {};
    const edge = name in body ? read(body[name]) : maximum;
    const isTaken = Number.isInteger(edge) && Number(edge) >= minimum && Number(edge) <= maximum;
    return isTaken && Number(edge) > EXPENSIVE && (name in body || name === "size");
  });
  if (changed.length === 0) return body;
  const edges = changed.map((name) => [name, properties[name]?.minimum ?? 16]);
  return { ...body, ...Object.fromEntries(edges) };
}

/** A few bytes that decompress to two megabytes, where one is allowed. */
const BLANKS = gzipSync(" ".repeat(2 ** 21));
const GZIP_TWICE = gzipSync(gzipSync(Buffer.alloc(2 ** 21)));
const BROTLI = brotliCompressSync(Buffer.alloc(2 ** 21));

export interface Bytes {
  readonly bytes: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A body that is not JSON, or JSON with a wrong type or a large encoding. */
export function brokenBody(text: string, random: Random): Bytes {
  const cut = random.below(text.length + 1);
  const gzip = { "Content-Encoding": "gzip" };
  const flipped = Buffer.from(text);
  if (flipped.length > 0) flipped[random.below(flipped.length)] ^= 1 << random.below(8);
  return random.pick<() => Bytes>([
    () => ({ bytes: Buffer.from(text.slice(0, cut)) }),
    () => ({ bytes: Buffer.from(text + text) }),
    () => ({ bytes: Buffer.from(`${text},`) }),
    () => ({ bytes: Buffer.from(`\ufeff${text}`) }),
    () => ({ bytes: Buffer.from(text, "utf16le") }),
    () => ({ bytes: Buffer.from([...Buffer.from(text), 0xff, 0xfe, 0xc0]) }),
    () => ({ bytes: Buffer.from(text.replaceAll('"', "'")) }),
    () => ({ bytes: Buffer.from(random.pick(NOT_JSON)) }),
    () => ({ bytes: gzipSync(text).subarray(0, 12), headers: gzip }),
    () => ({ bytes: Buffer.from(text), headers: gzip }),
    () => ({ bytes: gzipSync(text), headers: { "Content-Encoding": "gzip, gzip" } }),
    () => ({ bytes: gzipSync(text), headers: { "Content-Encoding": random.pick(["zstd", "x"]) } }),
    () => ({ bytes: BLANKS, headers: gzip }),
    () => ({ bytes: GZIP_TWICE, headers: gzip }),
    () => ({
      bytes: BROTLI,
      headers: { "Content-Encoding": "br" },
    }),
    () => ({ bytes: deflateSync("["), headers: { "Content-Encoding": "deflate" } }),
  ])();
}

const NOT_JSON = [
  "",
  " ",
  "undefined",
  "NaN",
  "[",
  "]",
  '"',
  "{,}",
  "{'a':1}",
  "01",
  "// comment\n{}",
  "[".repeat(5000),
  '{"a":'.repeat(5000),
  `{"data":${"[".repeat(100_000)}`,
  `{"source_id":${"[".repeat(100_000)}${"]".repeat(100_000)}}`,
  `[${"0,".repeat(120_000)}0]`,
  "\u0000",
  "<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]><a>&b;</a>",
  "size=16&format=png",
];
