/** The service as a process: signals, other nodes, standard input. */
import { runTogether } from "../helpers/run-together.ts";

await runTogether("soak/service");
