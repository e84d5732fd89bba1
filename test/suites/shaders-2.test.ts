import { runTogether } from "../helpers/run-together.ts";

await runTogether("shaders", { part: 2, of: 2 });
