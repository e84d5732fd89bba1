/** An export as the documentation shows it: an aperiodic poster that is done. */
import { Value } from "typebox/value";
import { PrintFields, plainDesign, preflight } from "../../../engine/index.ts";

const request = Value.Default(PrintFields, {
  width_mm: 500,
  height_mm: 700,
  bleed_mm: 3,
  crop_marks: true,
  mode: "aperiodic",
  cell_mm: 40,
}) as PrintFields;

const source = { width: 2400, height: 1600, hasAlpha: false };

export const exportExample = {
  id: 3,
  pattern_id: 12,
  status: "done",
  progress: 100,
  error: null,
  request,
  preflight: preflight(plainDesign("p4"), source, request),
  symmetry: null,
  file: {
    url: "https://patterns.example/api/v1/exports/3/file",
    media_type: "application/pdf",
    bytes: 41_873_992,
    sha256: "dbc545b1559fc8d111c35b5ebec18bec3206e4c0b1c232ab41f08815314aff19",
  },
  created_at: "2026-01-31T12:00:00.000Z",
  finished_at: "2026-01-31T12:00:21.000Z",
  expires_at: "2026-02-07T12:00:21.000Z",
};
