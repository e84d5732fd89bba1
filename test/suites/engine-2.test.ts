import { runTogether } from "../helpers/run-together.ts";

await runTogether("engine", { part: 2, of: 3 });
