import { runTogether } from "../helpers/run-together.ts";

await runTogether("http", { part: 2, of: 3 });
