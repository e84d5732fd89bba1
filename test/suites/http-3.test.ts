import { runTogether } from "../helpers/run-together.ts";

await runTogether("http", { part: 3, of: 3 });
