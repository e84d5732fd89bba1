/** Writes a PDF file (PDF 1.7, ISO 32000-1 §7.5) sequentially, object by object. */
import { createHash } from "node:crypto";

export const PRODUCER = "orbifold";

/** The comment (§7.5.2) marks the file as binary. */
const HEAD = Buffer.from("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "latin1");

export type PdfBytes = string | Uint8Array;

/** A dictionary's entries in PDF syntax. */
export type Dictionary = Readonly<Record<string, string>>;

export interface PdfFile {
  /** Returns the number of an object to be written later. */
  reserve(): number;
  /** Writes an object. */
  object(number: number, content: string): void;
  /** Writes a stream object. */
  stream(number: number, dictionary: Dictionary, content: Uint8Array): void;
  /** Begins a stream object of unknown length; `write` appends to it. */
  beginStream(number: number, dictionary: Dictionary): void;
  write(content: PdfBytes): void;
  /** Ends the stream and writes its length. */
  endStream(): void;
  /** Writes the cross-reference table and the trailer. All reserved objects must have been written. */
  end(root: number, about: number): void;
  /** Returns what has been written since the last call. */
  take(): Uint8Array;
}

/** Formats a number to a millionth; of a point, that is less than a nanometre. */
const real = (value: number): string => String(Number(value.toFixed(6)));

export const reference = (number: number): string => `${number} 0 R`;

export const reals = (values: readonly number[]): string => values.map(real).join(" ");

export const array = (values: readonly number[]): string => `[${reals(values)}]`;

/** Formats a text string (§7.9.2.2) as hexadecimal UTF-16BE, which needs no escapes. */
export function text(value: string): string {
  const digits = Buffer.from(`\ufeff${value}`, "utf16le").swap16().toString("hex");
  return `<${digits}>`;
}

/** Formats a name (§7.3.5) in UTF-8; what is neither a letter nor a digit is escaped. */
export const nameOf = (value: string): string =>
  `/${Buffer.from(value)
    .toString("latin1")
    .replace(/[^a-zA-Z0-9]/g, (byte) => `#${byte.charCodeAt(0).toString(16).padStart(2, "0")}`)}`;

export const dictionary = (entries: Dictionary): string =>
  `<< ${Object.entries(entries)
    .map(([name, value]) => `/${name} ${value}`)
    .join(" ")} >>`;

/** Creates a file. The same calls return the same bytes, including the trailer's identifier. */
export function createPdfFile(): PdfFile {
  const places: number[] = [];
  const hash = createHash("sha256");
  let pending: Uint8Array[] = [];
  let position = 0;
  let streamStart = 0;
  let lengthNumber = 0;

  const write = (content: PdfBytes) => {
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
      // §14.4: both strings are equal in an unmodified file.
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
    take() {
      const bytes = pending.length === 1 ? pending[0] : Buffer.concat(pending);
      pending = [];
      return bytes;
    },
  };
}
