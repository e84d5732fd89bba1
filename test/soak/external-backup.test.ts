/** An external PostgreSQL is copied and restored by its own tools, as docs/operations.md says. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import t from "tap";
import { openSession } from "../../db/connection/pool.ts";
import { findInstalled, startExternalServer } from "../db/external-server.ts";
import { answer } from "../helpers/command-line.ts";
import { temporaryFolder } from "../helpers/database.ts";
import { urlOf } from "../helpers/database-servers.ts";
import { dataFolder } from "../helpers/service.ts";
import { checkRestore } from "./check-restore.ts";

const installed = await findInstalled();
const skip = installed ? false : "no PostgreSQL is installed on this system";

t.test("pg_dump, pg_restore and skip-ids", { skip, timeout: 300_000 }, async (t) => {
  const bin = installed ?? "";
  const run = (program: string, ...args: readonly string[]) =>
    promisify(execFile)(join(bin, program), args);
  const server = await startExternalServer(t, bin);
  const admin = await openSession(server);
  t.teardown(() => admin.end());
  await admin.query("create database first");
  await admin.query("create database second");
  const env = { DATABASE_URL: urlOf(server, "first"), DATA_DIR: await dataFolder(t) };
  const restored = { DATABASE_URL: urlOf(server, "second"), DATA_DIR: await dataFolder(t) };
  const file = join(await temporaryFolder(t), "orbifold.dump");
  await checkRestore(t, env, {
    pauseMs: 10,
    backUp: async () => {
      await run("pg_dump", "--format=custom", `--file=${file}`, env.DATABASE_URL);
    },
    restore: async () => {
      const options = ["--no-owner", "--exit-on-error", `--dbname=${restored.DATABASE_URL}`];
      await run("pg_restore", ...options, file);
      t.same(await answer(t, restored, "skip-ids"), { skipped: 1_000_000 });
      return restored;
    },
  });
});
