/** The longer tests of the editor. */
import { runTogether } from "../helpers/run-together.ts";

await runTogether("soak/editor");
