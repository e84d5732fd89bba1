/** Accounts, sources and patterns for the contract. */
import { createHash } from "node:crypto";
import type { Database, NewSource, PatternFields } from "../../../db/index.ts";

/** Creates an account with some credits. */
export async function makeAccount(db: Database, credits = 100, email = "a@example.org") {
  return db.accounts.create({ email, plan: "pro", credits });
}

/** Bytes and their source fields. */
export function picture(content: string | Uint8Array): {
  readonly fields: NewSource;
  readonly bytes: Uint8Array;
} {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return {
    bytes,
    fields: {
      kind: "upload",
      preset: null,
      seed: null,
      url: null,
      media_type: "image/png",
      width: 640,
      height: 480,
      has_alpha: true,
      sha256,
    },
  };
}

/** The fields of a pattern of a source. */
export function design(source_id: number): PatternFields {
  return {
    source_id,
    group: "p4",
    name: null,
    motif: { x: 0.5, y: 0.25, scale: 1, rotation: -30.5 },
    counterchange: null,
    lattice: { ratio: 1, repeat: "straight" },
    seam: { method: "blend", width: 0.12, preserve_contrast: true },
    effects: [{ id: "tint", params: { hue: "ä\u0301 'quoted'" } }],
    palette: null,
    style: null,
    background: "#ffffff",
  };
}
