import { runTogether } from "../helpers/run-together.ts";

await runTogether("engine", { part: 3, of: 3 });
