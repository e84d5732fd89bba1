import { HOSTILE_PICTURES } from "./pictures.ts";
import type { Random } from "./random.ts";
import { NAMES } from "./values.ts";

const BOUNDARY = "----x";

export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

interface PartFields {
  readonly name: string;
  readonly file?: string;
  readonly type?: string;
  readonly content: Buffer;
}

function part({ name, file, type, content }: PartFields): Buffer {
  const head = [
    `--${BOUNDARY}`,
    `Content-Disposition: form-data; name="${name}"${file === undefined ? "" : `; filename="${file}"`}`,
    ...(type === undefined ? [] : [`Content-Type: ${type}`]),
  ];
  return Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`), content, Buffer.from("\r\n")]);
}

const END = Buffer.from(`--${BOUNDARY}--\r\n`);

/** A form with a picture and one error. */
export function wrongForm(picture: Buffer, random: Random): Buffer {
  const file = { name: "file", file: "a.png", content: picture };
  const group = part({ name: "group", content: Buffer.from("p4") });
  const hurt = Buffer.from(picture);
  hurt[random.below(hurt.length)] ^= 1 << random.below(8);
  const whole = Buffer.concat([part(file), group, END]);
  if (random.chance(0.4)) {
    return Buffer.concat([part({ ...file, content: random.pick(HOSTILE_PICTURES) }), group, END]);
  }
  return random.pick<() => Buffer>([
    () => whole,
    () => whole.subarray(0, random.below(whole.length)),
    () => Buffer.concat([part(file), part(file), END]),
    () => Buffer.concat([part({ ...file, content: hurt }), group, END]),
    () => Buffer.concat([part({ ...file, content: picture.subarray(0, 50) }), group, END]),
    () => Buffer.concat([part({ ...file, content: Buffer.alloc(0) }), group, END]),
    () => Buffer.concat([part({ name: "file", content: picture }), group, END]),
    () => Buffer.concat([part({ ...file, name: random.pick(NAMES) }), END]),
    () => Buffer.concat([part({ ...file, file: "../../../tmp/a.png" }), group, END]),
    () => Buffer.concat([part({ ...file, file: "\u0000😀%00" }), group, END]),
    () => Buffer.concat([part({ ...file, type: "image/svg+xml" }), group, END]),
    () => Buffer.concat([part({ ...file, type: "multipart/mixed; boundary=y" }), group, END]),
    () => Buffer.concat([part({ ...file, content: Buffer.from("<svg><g><g>") }), group, END]),
    () => Buffer.concat([part({ ...file, content: Buffer.from("GIF89a\xff\xff\xff\xff") }), END]),
    () => Buffer.concat([...Array(40).fill(group), END]),
    () => Buffer.concat([group, END]),
    () => END,
    () => Buffer.from("no form at all"),
  ])();
}
