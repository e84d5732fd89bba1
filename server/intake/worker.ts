/** A thread that parses bodies. */
import { type JsonBody, type Parsed, parseBody } from "./parse-body.ts";

export default (body: JsonBody): Parsed => parseBody(body);
