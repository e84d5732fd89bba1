import t from "tap";
import { defineCommand, overview } from "../../bench/harness/command.ts";

/** A command that remembers its arguments. */
function remembering(operands: string) {
  const calls: unknown[] = [];
  const command = defineCommand({
    name: "draw",
    operands,
    summary: "draws a picture",
    details: "Twice.",
    options: {
      rounds: { type: "string", value: "N", default: "7", about: "rounds of each" },
      json: { type: "boolean", about: "write JSON" },
    },
    async run(given, values) {
      calls.push([given, { ...values }]);
    },
  });
  return { command, calls };
}

t.test("parses operands and options", async (t) => {
  const { command, calls } = remembering("[CASE…]");
  await command.run(["p4m", "--rounds", "3", "--json", "8"]);
  await command.run([]);
  t.strictSame(calls, [
    [["p4m", "8"], { rounds: "3", json: true }],
    [[], { rounds: "7", json: false }],
  ]);
});

t.test("lists the options if one is unknown, and rejects unexpected operands", async (t) => {
  const { command, calls } = remembering("");
  await t.rejects(command.run(["--round"]), {
    name: "RangeError",
    message: "draw: Unknown option '--round'; options: --rounds, --json",
  });
  await t.rejects(command.run(["p4m"]), { message: 'draw: unexpected "p4m"' });
  t.strictSame(calls, []);
});

t.test("prints help for one command and for all", async (t) => {
  const { command } = remembering("[CASE…]");
  t.strictSame(command.help().split("\n"), [
    "npm run bench -- draw [CASE…] [OPTIONS]",
    "",
    "draws a picture",
    "",
    "Twice.",
    "",
    "Options:",
    "  --rounds N  rounds of each (default: 7)",
    "  --json      write JSON",
  ]);
  t.match(overview([command]), "\n  draw [CASE…]  draws a picture\n");
});
