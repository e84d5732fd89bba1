import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import t, { type Test } from "tap";
import {
  createIntake,
  type Encoding,
  type IntakeOptions,
  IntakeOverloaded,
} from "../../server/intake/index.ts";

const MEBIBYTE = 1024 * 1024;

function open(t: Test, options: IntakeOptions = {}) {
  const intake = createIntake(options);
  t.teardown(() => intake.close());
  const picture = { path: ["params", "data"], maximumBytes: 32 * MEBIBYTE };
  return (
    text: string | Uint8Array,
    encoding: Encoding = "identity",
    maximumBytes = 48 * MEBIBYTE,
  ) => intake.parse({ bytes: Buffer.from(text), encoding, maximumBytes, picture });
}

t.test("parses short, long and compressed JSON alike", async (t) => {
  const parse = open(t);
  const long = " ".repeat(100_000);
  const expected = { outcome: "parsed", value: { a: [1, "ü"] } };
  for (const text of ['{"a":[1,"ü"]}', `{"a":[1,"ü"]}${long}`]) {
    t.same(await parse(text), expected);
    t.same(await parse(gzipSync(text), "gzip"), expected);
    t.same(await parse(deflateSync(text), "deflate"), expected);
    t.same(await parse(brotliCompressSync(text), "br"), expected);
    t.match(await parse(`${text}!`), { outcome: "malformed", what: "json" });
    t.match(await parse(`[${"[],".repeat(6000)}${text}]`), {
      outcome: "malformed",
      what: "structure",
    });
  }
  t.same(await parse(""), { outcome: "parsed", value: {} });
  t.match(await parse("no gzip", "gzip"), { outcome: "malformed", what: "framing" });
  const bomb = gzipSync(" ".repeat(10 * MEBIBYTE));
  t.same(await parse(bomb, "gzip", MEBIBYTE), {
    outcome: "too_large",
    what: "body",
    maximumBytes: MEBIBYTE,
  });
});

t.test("decodes and hashes a long picture into shared memory", async (t) => {
  const parse = open(t);
  const bytes = Buffer.from(Uint32Array.from({ length: 50_000 }, (_, place) => place).buffer);
  const lines = bytes.toString("base64").replace(/.{76}/g, "$&\\r\\n");
  for (const text of [lines, bytes.toString("base64url"), `data:image/png;base64,${lines}`]) {
    const parsed = await parse(`{"params":{"data":"${text}","n":1}}`);
    t.match(parsed, { outcome: "parsed", value: { params: { data: null, n: 1 } } });
    if (parsed.outcome !== "parsed" || parsed.picture?.outcome !== "decoded") return t.fail();
    t.ok(bytes.equals(parsed.picture.bytes));
    t.ok(parsed.picture.bytes.buffer instanceof SharedArrayBuffer);
    t.equal(parsed.picture.sha256, createHash("sha256").update(bytes).digest("hex"));
  }
  const wrong = await parse(`{"params":{"data":"${"A".repeat(100_000)}*"}}`);
  t.match(wrong, { picture: { outcome: "malformed", character: "*", index: 100_000 } });
  const large = await parse(`{"params":{"data":"${"A".repeat(44 * MEBIBYTE)}"}}`);
  t.match(large, { picture: { outcome: "too_large" } });
});

t.test("text at other paths is not decoded, and limited in size", async (t) => {
  const parse = open(t);
  const text = "A".repeat(100_000);
  t.same(await parse(`{"data":"${text}"}`), { outcome: "parsed", value: { data: text } });
  t.same(await parse(`{"params":["${text}"]}`), { outcome: "parsed", value: { params: [text] } });
  t.match(await parse(`{"other":"${"A".repeat(2 * MEBIBYTE)}"}`), {
    outcome: "too_large",
    what: "rest",
  });
});

t.test("parsing a large body does not block the event loop", async (t) => {
  const parse = open(t);
  const body = Buffer.from(`{"params":{"data":"${"A=".repeat(22 * MEBIBYTE)}"}}`);
  let parsing = true;
  const parsed = parse(body).finally(() => {
    parsing = false;
  });
  let turns = 0;
  for (; parsing; turns++) await setImmediate();
  t.match(await parsed, { outcome: "parsed" });
  t.ok(turns > 100, `${turns} turns`);
});

t.test("a parser that times out is replaced", async (t) => {
  const parse = open(t, { timeoutMs: 1 });
  const large = `{"params":{"data":"${"A".repeat(20 * MEBIBYTE)}"}}`;
  await t.rejects(parse(large), IntakeOverloaded);
  t.same(await parse("[1]"), { outcome: "parsed", value: [1] });
});
