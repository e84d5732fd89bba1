/** A PDF file (PDF 1.7, ISO 32000-1 §7.5) written from front to back, object by object. */
import { createHash } from "node:crypto";

/** The comment (§7.5.2) tells programs that move files that this one is not text. */
const HEAD = Buffer.from("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "latin1");

export type Content = string | Uint8Array;

/** A dictionary's entries, each written as PDF has it. */
export type Dictionary = Readonly<Record<string, string>>;

export interface PdfFile {
  /** A number for an object that will be written later, or is being written. */
  reserve(): number;
  /** An object of its own. */
  object(number: number, content: string): void;
  /** An object with a stream whose length is known. */
  stream(number: number, dictionary: Dictionary, content: Uint8Array): void;
  /** Begins an object with a stream whose length is another object's content; `write` goes on. */
  beginStream(number: number, dictionary: Dictionary): void;
  write(content: Content): void;
  /** Ends the stream and writes its length. */
  endStream(): void;
  /** Writes the table of objects and the trailer; all reserved numbers have to be there. */
  end(root: number, about: number): void;
  /** What has been written since the last call. */
  taken(): Uint8Array;
}

/** A number in as many digits as matter: a millionth of a point is less than a nanometre. */
const real = (value: number): string => String(Number(value.toFixed(6)));

export const reference = (number: number): string => `${number} 0 R`;

export const reals = (values: readonly number[]): string => values.map(real).join(" ");

export const array = (values: readonly number[]): string => `[${reals(values)}]`;

/** A string (§7.3.4.2) in UTF-16 with its mark, as digits: nothing in it has to be escaped. */
export function text(value: string): string {
  const digits = Buffer.from(`\ufeff${value}`, "utf16le").swap16().toString("hex");
  return `<${digits}>`;
}

export const dictionary = (entries: Dictionary): string =>
  `<< ${Object.entries(entries)
    .map(([name, value]) => `/${name} ${value}`)
    .join(" ")} >>`;

/** Starts a file. The same calls give the same bytes, the identifier in the trailer too. */
export function createPdfFile(): PdfFile {
  const places: number[] = [];
  const hash = createHash("sha256");
  let pending: Uint8Array[] = [];
  let position = 0;
  let streamStart = 0;
  let lengthNumber = 0;

  const write = (content: Content) => {
    const bytes = typeof content === "string" ? Buffer.from(content, "latin1") : content;
    hash.update(bytes);
    pending.push(bytes);
    position += bytes.length;
  };
  const reserve = () => places.push(0);
  const begin = (number: number) => {
    places[number - 1] = position;
    write(`${number} 0 obj\n`);
  };
  const object = (number: number, content: string) => {
    begin(number);
    write(`${content}\nendobj\n`);
  };
  const openStream = (number: number, entries: Dictionary) => {
    begin(number);
    write(`${dictionary(entries)}\nstream\n`);
    streamStart = position;
  };
  const closeStream = () => write("\nendstream\nendobj\n");

  write(HEAD);
  return {
    reserve,
    object,
    stream(number, entries, content) {
      openStream(number, { ...entries, Length: String(content.length) });
      write(content);
      closeStream();
    },
    beginStream(number, entries) {
      lengthNumber = reserve();
      openStream(number, { ...entries, Length: reference(lengthNumber) });
    },
    write,
    endStream() {
      const length = position - streamStart;
      closeStream();
      object(lengthNumber, String(length));
    },
    end(root, about) {
      // §14.4: two equal strings while nobody has changed the file.
      const identifier = `<${hash.copy().digest("hex").slice(0, 32)}>`;
      const table = position;
      // Entries have 20 bytes each (§7.5.4).
      const entries = places.map((place) => `${String(place).padStart(10, "0")} 00000 n \n`);
      write(`xref\n0 ${places.length + 1}\n0000000000 65535 f \n${entries.join("")}`);
      const trailer = {
        Size: String(places.length + 1),
        Root: reference(root),
        Info: reference(about),
        ID: `[${identifier} ${identifier}]`,
      };
      write(`trailer\n${dictionary(trailer)}\nstartxref\n${table}\n%%EOF\n`);
    },
    taken() {
      const bytes = Buffer.concat(pending);
      pending = [];
      return bytes;
    },
  };
}
