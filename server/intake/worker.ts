/** A thread that parses bodies. */
import { lowerThreadPriority, NICENESS } from "../../engine/lower-thread-priority.ts";
import { type JsonBody, type Parsed, parseBody } from "./parse-body.ts";

lowerThreadPriority(NICENESS);

export default (body: JsonBody): Parsed => parseBody(body);
