import { runTogether } from "../helpers/run-together.ts";

await runTogether("shaders", { part: 1, of: 2 });
