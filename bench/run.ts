/**
 * `npm run bench`: measures the product.
 *
 *     npm run bench [-- CASE…]              against its peers           commands/measure.ts
 *     npm run bench -- compare REF [CASE…]  against another commit      commands/compare.ts
 *     npm run bench -- growth               by size, time and memory    commands/growth.ts
 *     npm run bench -- report               writes docs/performance.md  commands/report.ts
 *
 * A case is selected by its number or a part of its name. The exit code is 1 if a result is wrong,
 * and 0 if one is only slow, because machines are shared.
 */
import { compare } from "./commands/compare.ts";
import { growth } from "./commands/growth.ts";
import { measure } from "./commands/measure.ts";
import { report } from "./commands/report.ts";
import { WrongResult } from "./harness/case.ts";

const COMMANDS: Readonly<Record<string, (args: readonly string[]) => Promise<void>>> = {
  compare,
  growth,
  report,
};

const [first = "", ...rest] = process.argv.slice(2);
const command = Object.hasOwn(COMMANDS, first) ? COMMANDS[first] : undefined;
await (command ? command(rest) : measure(process.argv.slice(2))).catch((error: Error) => {
  const expected = error instanceof RangeError || error instanceof WrongResult;
  console.error(`bench: ${expected ? error.message : error.stack}`);
  process.exitCode = 1;
});
