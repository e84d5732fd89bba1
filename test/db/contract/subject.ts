/** The databases of the contract. */
import { createHash } from "node:crypto";
import type { Test } from "tap";
import { openSession } from "../../../db/connection/pool.ts";
import {
  type Database,
  type NewSource,
  openDatabase,
  type PatternFields,
  type Quotas,
} from "../../../db/index.ts";

/** Returns the connection string of a new, empty database. */
export type Subject = () => Promise<string>;

export interface Opened {
  readonly db: Database;
  /** Its URL, for tests that open it a second time. */
  readonly url: string;
  /** Queries the tables directly. */
  look(query: string): Promise<readonly Record<string, unknown>[]>;
}

/** Opens a new database until the test ends; without `quotas` with the default ones. */
export async function open(t: Test, subject: Subject, quotas?: Quotas): Promise<Opened> {
  const url = await subject();
  const db = await openDatabase({ url, dataDir: "", ...(quotas && { quotas }) });
  const session = await openSession(url);
  t.teardown(async () => {
    await session.end();
    await db.close();
  });
  return { db, url, look: async (query) => (await session.query(query)).rows };
}

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
    lattice: { ratio: 1, repeat: "straight" },
    seam: { method: "blend", width: 0.12, preserve_contrast: true },
    effects: [{ id: "tint", params: { hue: "ä\u0301 'quoted'" } }],
    palette: null,
    style: null,
    background: "#ffffff",
  };
}
