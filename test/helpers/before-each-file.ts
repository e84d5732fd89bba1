/**
 * tap preloads this in each test process, and its threads. tap's module hooks, for coverage and mocks,
 * are unused here and prevent Node from using its compile cache: a test that starts a server would
 * spend half its time compiling. Types are stripped in place, so source maps have nothing to add.
 */
import "./temporary-files.ts";
import module from "node:module";
import { join } from "node:path";

module.registerHooks = () => ({ deregister: () => undefined });
module.syncBuiltinESMExports();
process.setSourceMapsEnabled(false);

// Also for child processes, which need none of the above.
process.env.NODE_COMPILE_CACHE = join(import.meta.dirname, "../../node_modules/.cache/compiled");
module.enableCompileCache(process.env.NODE_COMPILE_CACHE);
delete process.env.NODE_OPTIONS;
