import t from "tap";
import { growth } from "../../bench/commands/growth.ts";
import { profile } from "../../bench/commands/profile.ts";
import { parsePositive } from "../../bench/harness/parse-number.ts";
import { parseRounds } from "../../bench/harness/rounds.ts";

const NOT_POSITIVE = ["Infinity", "-Infinity", "NaN", "1e999", "0", "-1", "", "five"];

t.test("takes finite numbers above 0", async (t) => {
  t.equal(parsePositive("--seconds", "0.5"), 0.5);
  t.equal(parsePositive("--seconds", "7200"), 7200);
  for (const given of NOT_POSITIVE) {
    t.throws(() => parsePositive("HOSTILE_SECONDS", given), {
      name: "RangeError",
      message: `HOSTILE_SECONDS: expected a finite number above 0, got "${given}"`,
    });
  }
});

t.test("takes whole numbers of rounds from 1", async (t) => {
  t.equal(parseRounds("7"), 7);
  for (const given of [...NOT_POSITIVE, "1.5"]) {
    const message = `--rounds: expected a whole number from 1, got "${given}"`;
    t.throws(() => parseRounds(given), { name: "RangeError", message });
  }
});

t.test("commands reject infinite numbers before they measure anything", async (t) => {
  await t.rejects(profile.run(["--seconds", "Infinity"]), { message: /^--seconds: .*"Infinity"$/ });
  await t.rejects(growth.run(["--to", "Infinity"]), {
    message: /^--to: .*256 to 20000.*"Infinity"$/,
  });
});
