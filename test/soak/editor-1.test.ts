/** The longer tests of the editor: every other file. */
import { runTogether } from "../helpers/run-together.ts";

await runTogether("soak/editor", { part: 1, of: 2 });
