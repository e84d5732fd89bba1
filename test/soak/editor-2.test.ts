/** The longer tests of the editor: the other files. */
import { runTogether } from "../helpers/run-together.ts";

await runTogether("soak/editor", { part: 2, of: 2 });
