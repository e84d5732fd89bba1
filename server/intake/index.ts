/**
 * Parses the bodies of requests: short ones where they arrive, long ones in threads, for nothing that
 * takes time with a body's size may run on the event loop. A thread that takes too long is ended.
 */
import { Piscina } from "piscina";
import { INLINE_BYTES, type JsonBody, type Parsed, parseBody } from "./parse-body.ts";

export { type Decoded, decodeBase64 } from "./base64.ts";
export { parseBoundedJson } from "./bounded-json.ts";
export {
  ENCODINGS,
  type Encoding,
  type JsonBody,
  type Parsed,
} from "./parse-body.ts";

/** More bodies wait than may, or one took too long. */
export class IntakeOverloaded extends Error {
  override readonly name = "IntakeOverloaded";
  readonly waiting: number;
  constructor(waiting: number, options: ErrorOptions) {
    super(`${waiting} bodies are waiting to be parsed`, options);
    this.waiting = waiting;
  }
}

export interface Intake {
  /** Parses a JSON body. Throws IntakeOverloaded. */
  parse(body: JsonBody): Promise<Parsed>;
  /** Ends the threads, with what they are at. */
  close(): Promise<void>;
}

export interface IntakeOptions {
  /** For one body; the longest that is taken needs about a second. Left out: 30,000. */
  readonly timeoutMs?: number;
}

const THREADS = 2;
const WAITING = 256;

/** A thread that nobody has needed for so long is ended. */
const IDLE_MS = 60_000;

/** MiB of a thread's heap: a text of 48 MiB is there twice, perhaps with two bytes a character. */
const HEAP_MIB = 384;

/** An intake without threads; they start when they are needed. */
export function createIntake({ timeoutMs = 30_000 }: IntakeOptions = {}): Intake {
  const pool = new Piscina<JsonBody, Parsed>({
    filename: new URL("./worker.ts", import.meta.url).href,
    minThreads: 0,
    maxThreads: THREADS,
    maxQueue: WAITING,
    idleTimeout: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
  });
  // A thread that breaks takes its body with it, whose caller is told, and is replaced. Unheard, the
  // event would end the process.
  pool.on("error", () => undefined);
  return {
    async parse(body) {
      const isShort = body.bytes.byteLength <= INLINE_BYTES;
      if (isShort && body.encoding === "identity") return parseBody(body);
      try {
        return await pool.run(body, { signal: AbortSignal.timeout(timeoutMs) });
      } catch (cause) {
        // Faults of the body's come as an outcome.
        throw new IntakeOverloaded(pool.queueSize, { cause });
      }
    },
    close: () => pool.destroy(),
  };
}
