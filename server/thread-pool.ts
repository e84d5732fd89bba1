/**
 * Enlarges libuv's thread pool. By default it has 4 threads, all of which may be busy encoding
 * images or hashing passwords while files wait to be read. Imported before anything that uses the
 * pool, whose size is fixed at first use.
 */
import { availableParallelism } from "node:os";

process.env.UV_THREADPOOL_SIZE ??= String(4 + 2 * availableParallelism());
