import t, { type Test } from "tap";
import { Compile } from "typebox/compile";
import { Certificate } from "../../engine/certificate/certificate.ts";
import { evaluateClaim, examine } from "../../engine/certificate/certify.ts";
import type { GroupName } from "../../engine/index.ts";
import { swatchOf, testEngine } from "../helpers/engine.ts";
import { claimsOf, sampledGroups } from "./sampled-groups.ts";
import { contains } from "./subgroups.ts";

const engine = await testEngine(t);
const lattice = { ratio: 1, repeat: "straight" } as const;
const schema = Compile(Certificate);

/** The expected verdict for a picture of one group with a claim of another. */
function expected(truth: GroupName, claimed: GroupName): Certificate["verdict"] {
  if (truth === claimed) return "valid";
  return contains(truth, claimed) ? "more_symmetric" : "broken";
}

for (const truth of sampledGroups()) {
  t.test(`distinguishes ${truth} from claimed groups`, async (t) => {
    const tile = await swatchOf(engine, { group: truth, render: { size: 256 } });
    const examined = await examine(tile);
    for (const group of claimsOf(truth)) {
      const claim = { group, lattice, hexCells: "7x4", cells: "rendered" } as const;
      const certificate = await evaluateClaim(examined, claim);
      const verdict = expected(truth, group);
      t.equal(certificate.verdict, verdict, `claimed ${group}: ${certificate.summary}`);
      t.equal(certificate.found, truth, `claimed ${group}: what is found`);
      t.same(schema.Errors(certificate), [], `claimed ${group}: as the schema says`);
      const failing = certificate.operations.find(
        ({ operation, generator, holds }) =>
          operation === certificate.failing && generator && !holds,
      );
      t.equal(failing !== undefined, verdict === "broken", `claimed ${group}: failing generator`);
      checkMargins(t, certificate);
    }
  });
}

/** True operations are far below the tolerance and false ones far above it. */
function checkMargins(t: Test, certificate: Certificate): void {
  const errors = certificate.operations.map(({ relative_error }) => relative_error);
  const worst = Math.max(0, ...errors);
  const limit = certificate.tolerance.relative_error;
  if (certificate.verdict === "broken") t.ok(worst > 3 * limit, `${certificate.claimed}: ${worst}`);
  else t.ok(worst < limit / 3, `${certificate.claimed}: ${worst}`);
}
