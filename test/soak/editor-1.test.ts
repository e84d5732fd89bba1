/** The longer tests of the editor: the first half of their files. */
import { runTogether } from "../helpers/run-together.ts";

await runTogether("soak/editor", { part: 1, of: 2 });
