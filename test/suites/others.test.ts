import { runTogether } from "../helpers/run-together.ts";

await runTogether("{docs,intake,jobs,scenes,tools}");
