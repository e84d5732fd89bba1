import { Value } from "typebox/value";
import { CHUNK_BYTES, type Export, type ExportRun, type Job, Superseded } from "../../db/index.ts";
import {
  checkDesign,
  checkPrint,
  type Design,
  type PrintFields,
  SourceUnreadable,
  ValidateFields,
} from "../../engine/index.ts";
import { ownerOf } from "./accounts.ts";
import {
  INTERNAL_ERROR_MESSAGE,
  isRetryable,
  MAX_FAILURES,
  permanentFailureReason,
} from "./job-failure.ts";
import type { JobResult } from "./log.ts";
import type { Services } from "./services.ts";
import { watchRun } from "./watch-run.ts";

/** The tile whose symmetry is certified. */
const TILE = Value.Create(ValidateFields);

type RequiredServices = Pick<Services, "db" | "engine" | "sources">;

/**
 * Creates the file of the job's export. Errors of the request fail the export; internal errors are
 * thrown and retried a few times. Skips an export that is deleted, done or failed. Returns the
 * outcome for the log.
 */
export async function makeExport(
  services: RequiredServices,
  job: Job<"make_export">,
): Promise<JobResult | null> {
  const { exports } = services.db;
  const begun = await exports.begin(job.data.export_id);
  if (!begun) return null;
  const { account_id, pattern_id, media_type } = begun.ordered;
  const about = { account_id, pattern_id, media_type };
  const run = { id: begun.ordered.id, run: begun.run };
  const fail = async (reason: string) => {
    await exports.fail(run, reason);
    return { ...about, status: "failed", reason };
  };
  try {
    // The last attempt may have crashed its process.
    if (begun.failures >= MAX_FAILURES) return await fail(INTERNAL_ERROR_MESSAGE);
    await make(services, begun.ordered, run, job.signal);
    return { ...about, status: "done" };
  } catch (error) {
    return await settle(error).catch((thrown) => {
      // The export was taken over or deleted.
      if (thrown instanceof Superseded) return { ...about, status: "superseded" };
      throw thrown;
    });
  }

  async function settle(error: unknown): Promise<JobResult> {
    const reason = permanentFailureReason(error);
    if (reason !== null) return fail(reason);
    if (isRetryable(error, job.signal)) await exports.pause(run);
    throw error;
  }
}

async function make(
  services: RequiredServices,
  ordered: Export,
  run: ExportRun,
  caller: AbortSignal,
): Promise<void> {
  const { engine, sources } = services;
  const { exports } = services.db;
  const sha256 = ordered.source_sha256;
  const bytes = await sources.read(sha256);
  if (!bytes) throw new SourceUnreadable("it was deleted before the export was made");
  // The service may have been upgraded since the order.
  const design = checkDesign(ordered.design as Design);
  const print = checkPrint(design, ordered.fields as PrintFields);
  const source = { sha256, bytes };
  const owner = ownerOf(ordered.account_id);

  let progress = () => 0;
  const watch = watchRun(() => exports.recordProgress(run, Math.floor(progress() * 99)), caller);
  try {
    // Nothing is rendered that cannot be stored.
    await using file = await exports.openFile(run, watch.signal);
    const certificate =
      print.mode !== "surface"
        ? null
        : await engine.certify(
            { kind: "design", design, source, fields: TILE },
            watch.signal,
            owner,
          );
    const printing = await engine.print({ design, source, print }, watch.signal, owner);
    progress = printing.progress;
    for await (const chunk of inChunks(printing.body, CHUNK_BYTES)) await file.write(chunk);
    const patch = await printing.patch;
    if (patch !== null) await file.overwrite(patch.at, patch.bytes);
    const made = await file.finish(watch.signal);
    await exports.finish(run, { ...made, certificate });
  } catch (error) {
    throw watch.superseded ?? error;
  } finally {
    watch.end();
  }
}

/** Splits bytes into chunks of `size` bytes; the last one may be shorter. */
async function* inChunks(
  bytes: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<Uint8Array> {
  let chunk = new Uint8Array(size);
  let filled = 0;
  for await (const part of bytes) {
    for (let from = 0; from < part.length; ) {
      const taken = Math.min(part.length - from, size - filled);
      chunk.set(part.subarray(from, from + taken), filled);
      from += taken;
      filled += taken;
      if (filled < size) continue;
      yield chunk;
      chunk = new Uint8Array(size);
      filled = 0;
    }
  }
  if (filled > 0) yield chunk.subarray(0, filled);
}
