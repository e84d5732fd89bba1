/**
 * `npm run bench`: measures the product; `npm run bench -- --help` lists the commands.
 *
 * The exit code is 1 for invalid arguments and wrong results, and where `gate` fails. A slow result
 * alone is 0, because machines are shared.
 */
import { compare } from "./commands/compare.ts";
import { gate } from "./commands/gate.ts";
import { growth } from "./commands/growth.ts";
import { list } from "./commands/list.ts";
import { measure } from "./commands/measure.ts";
import { profile } from "./commands/profile.ts";
import { report } from "./commands/report.ts";
import { trend } from "./commands/trend.ts";
import { WrongResult } from "./harness/case.ts";
import { NoSuchCase } from "./harness/choose-cases.ts";
import { overview } from "./harness/command.ts";

const COMMANDS = [measure, list, profile, compare, gate, trend, growth, report];
const HELP = ["--help", "-h"];

const [first = "", ...rest] = process.argv.slice(2);
const named = COMMANDS.find(({ name }) => name === first);
const args = named ? rest : process.argv.slice(2);

if (args.some((arg) => HELP.includes(arg))) {
  console.log(named ? named.help() : overview(COMMANDS));
} else {
  await (named ?? measure).run(args).catch((error: Error) => {
    const expected = error instanceof RangeError || error instanceof WrongResult;
    console.error(`bench: ${expected ? error.message : error.stack}`);
    if (error instanceof NoSuchCase && !named) {
      console.error(`Commands: ${COMMANDS.map(({ name }) => name).join(", ")}`);
    }
    process.exitCode = 1;
  });
}
