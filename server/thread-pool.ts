/**
 * Gives libuv's pool room. It has 4 threads when nobody says otherwise, and all of them may be busy
 * encoding pictures or hashing passwords while files wait to be read. Imported before anything that
 * uses the pool: its size is fixed with its first use.
 */
import { availableParallelism } from "node:os";

process.env.UV_THREADPOOL_SIZE ??= String(4 + 2 * availableParallelism());
