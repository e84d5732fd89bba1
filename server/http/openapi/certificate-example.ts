import type { Certificate } from "../../actions/validation.ts";

/** The certificate of a rendered tile. */
export const CERTIFICATE: Certificate = {
  verdict: "valid",
  reason: "holds",
  summary: "This is p2, exactly: all 2 operations map every pixel onto an equal one.",
  claimed: "p2",
  found: "p2",
  failing: null,
  lattice: {
    kind: "square",
    centred: false,
    across: 1,
    down: 1,
    cells: 1,
    a: { x: 512, y: 0 },
    b: { x: 0, y: 512 },
    strain: 0,
  },
  origin: { x: 0, y: 0 },
  operations: [
    {
      operation: "-x,-y",
      kind: "rotation",
      words: "rotation by 180°",
      generator: true,
      holds: true,
      relative_error: 0,
      rms_error: 0,
      max_error: 0,
      local_error: 0,
      worst_at: { x: 6.1, y: 6.1 },
      exact: true,
    },
  ],
  patch: { width: 12.19, height: 12.19 },
  supergroups: [
    { group: "pmm", relative_error: 1.437, holds: false },
    { group: "pmg", relative_error: 1.36, holds: false },
    { group: "pgg", relative_error: 1.359, holds: false },
    { group: "cmm", relative_error: 1.16, holds: false },
    { group: "p4", relative_error: 1.425, holds: false },
  ],
  seam: { left_right: 0.946, top_bottom: 1.574, seamless: true },
  deviation: 57.39,
  contrast_kept: 0.972,
  tolerance: { relative_error: 0.15, local_error: 26.31, rms_error: 17.54, strain: 0.0125 },
};
