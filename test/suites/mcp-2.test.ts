import { runTogether } from "../helpers/run-together.ts";

await runTogether("mcp", { part: 2, of: 2 });
