/**
 * Parses request bodies: short ones directly, long ones in threads, since nothing whose time grows
 * with a body may run on the event loop. A thread that takes too long is terminated.
 */
import { Piscina } from "piscina";
import { INLINE_BYTES, type JsonBody, type Parsed, parseBody } from "./parse-body.ts";

export { type Decoded, decodeBase64 } from "./base64.ts";
export { ExcessiveJson, parseBoundedJson } from "./bounded-json.ts";
export {
  ENCODINGS,
  type Encoding,
  type JsonBody,
  type Parsed,
} from "./parse-body.ts";

/** The queue is full, or a body took too long. */
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
  /** Terminates the threads and their work. */
  close(): Promise<void>;
}

export interface IntakeOptions {
  /** Time limit of a body; the largest one needs about a second. Default: 30,000. */
  readonly timeoutMs?: number;
}

const THREADS = 2;
const WAITING = 256;

/** Time after which an idle thread ends. */
const IDLE_MS = 60_000;

/** MiB of a thread's heap: a text of 48 MiB exists twice, possibly with two bytes a character. */
const HEAP_MIB = 384;

/** Creates an intake, whose threads start on demand. */
export function createIntake({ timeoutMs = 30_000 }: IntakeOptions = {}): Intake {
  const pool = new Piscina<JsonBody, Parsed>({
    filename: new URL("./worker.ts", import.meta.url).href,
    minThreads: 0,
    maxThreads: THREADS,
    maxQueue: WAITING,
    idleTimeout: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
  });
  // A thread that fails is replaced and its caller gets an error. Unhandled, the event would end
  // the process.
  pool.on("error", () => undefined);
  return {
    async parse(body) {
      const isShort = body.bytes.byteLength <= INLINE_BYTES;
      if (isShort && body.encoding === "identity") return parseBody(body);
      try {
        return await pool.run(body, { signal: AbortSignal.timeout(timeoutMs) });
      } catch (cause) {
        // Errors of the body are outcomes.
        throw new IntakeOverloaded(pool.queueSize, { cause });
      }
    },
    close: () => pool.destroy(),
  };
}
