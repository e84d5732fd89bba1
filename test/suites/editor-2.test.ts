import { runTogether } from "../helpers/run-together.ts";

await runTogether("editor", { part: 2, of: 2 });
