import { runTogether } from "../helpers/run-together.ts";

await runTogether("shaders");
