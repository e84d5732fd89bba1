import { runTogether } from "../helpers/run-together.ts";

await runTogether("editor", { part: 1, of: 2 });
