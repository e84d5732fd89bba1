#!/usr/bin/env node
/**
 * The program. Node keeps what it has compiled, types stripped, for the next start. Modules are compiled
 * before any of them runs, so the rest is imported afterwards.
 */
import { enableCompileCache } from "node:module";
import { join } from "node:path";
import "./thread-pool.ts";

// Threads take it from the environment. A folder that cannot be written to is no error.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, "../node_modules/.cache/compiled");
enableCompileCache(process.env.NODE_COMPILE_CACHE);

const { runCommandLine } = await import("./command-line.ts");
process.exitCode = await runCommandLine(process.argv.slice(2), process);
