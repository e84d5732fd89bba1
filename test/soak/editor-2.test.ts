/** The longer tests of the editor: the second half of their files. */
import { runTogether } from "../helpers/run-together.ts";

await runTogether("soak/editor", { part: 2, of: 2 });
