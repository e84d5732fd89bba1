import { runTogether } from "../helpers/run-together.ts";

await runTogether("{geometry,outbound,tilings}");
