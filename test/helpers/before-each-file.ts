/**
 * tap has each test process load this first. Its hooks on the loading of modules, for coverage and
 * mocks, which nothing here uses, keep Node from using what it has compiled before: a test that starts
 * a server would spend half its time on compiling.
 */
import "./temporary-files.ts";
import module from "node:module";
import { join } from "node:path";

module.registerHooks = () => ({ deregister: () => undefined });

// Also for the processes that tests start; those need none of the above.
process.env.NODE_COMPILE_CACHE = join(import.meta.dirname, "../../node_modules/.cache/compiled");
module.enableCompileCache(process.env.NODE_COMPILE_CACHE);
delete process.env.NODE_OPTIONS;
