import { runTogether } from "../helpers/run-together.ts";

await runTogether("mcp", { part: 1, of: 2 });
