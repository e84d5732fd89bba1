import { runTogether } from "../helpers/run-together.ts";

await runTogether("http", { part: 1, of: 3 });
