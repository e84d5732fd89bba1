import { runTogether } from "../helpers/run-together.ts";

await runTogether("{docs,intake,scenes,tools}");
