/** Estimated costs of aperiodic sheets. */
import t from "tap";
import { estimateCost } from "../../engine/pool/job-cost.ts";
import { type RequestParts, request } from "../helpers/engine.ts";

const costOf = (
  aperiodic: NonNullable<RequestParts["render"]>["aperiodic"],
  effects: NonNullable<RequestParts["effects"]> = [],
  cell = 100,
) => {
  const size = { surface_width: 1000, surface_height: 1000, cell };
  const render = { mode: "aperiodic", ...size, aperiodic: { ...aperiodic } } as const;
  return estimateCost({ kind: "render", request: request({ effects, render }) });
};

t.test("tiles cost more than a surface, and more with wider zones", async (t) => {
  const render = { mode: "surface", surface_width: 1000, surface_height: 1000 } as const;
  t.equal(estimateCost({ kind: "render", request: request({ render }) }), 1);
  t.equal(costOf({ kind: "quasicrystal" }), 1);
  t.equal(costOf({ blend: 0 }), 1.5);
  t.equal(costOf({}), 2.5);
  t.equal(costOf({ blend: 0.5 }), 3.5);
});

t.test("effects on a period cost what they are applied to", async (t) => {
  const blur = [{ id: "blur" }];
  t.equal(costOf({}, [{ id: "invert" }]), costOf({}));
  const [none, parts] = (["none", "parts"] as const).map(
    (variation) => costOf({ variation }, blur) - costOf({ variation }),
  );
  t.ok(none > 0.02 && none < 0.1, `${none}`);
  t.ok(parts > 4 * none && parts <= 8.001 * none, `${parts}`);
  t.equal(costOf({ variation: "parts" }, blur, 4000) - costOf({}), 4);
});
