import { runTogether } from "../helpers/run-together.ts";

await runTogether("editor", { part: 3, of: 3 });
