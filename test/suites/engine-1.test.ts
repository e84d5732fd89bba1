import { runTogether } from "../helpers/run-together.ts";

await runTogether("engine", { part: 1, of: 3 });
