/**
 * Runs a PostgreSQL for the test processes of an owner and ends with it, however that ends. The
 * owner's process id is the only argument. Beside the server's data, `url` contains its connection
 * string once it runs, or `failure` the reason why it does not.
 */
import { appendFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { errorMessage, openSession } from "../../db/connection/pool.ts";
import { openCluster } from "../../db/embedded/cluster.ts";
import { openEmbedded } from "../../db/embedded/index.ts";
import { openDatabase } from "../../db/index.ts";
import { folderOf, TEMPLATE, urlOf } from "./database-servers.ts";

/** Data need not survive a crash. Several files' nodes have their pools at once. */
const SETTINGS = `
fsync = off
synchronous_commit = off
full_page_writes = off
wal_level = minimal
max_wal_senders = 0
max_connections = 500
max_wal_size = 1GB
autovacuum = off
`;

const owner = Number(process.argv[2]);
const folder = folderOf(owner);
let isStopped = false;
process.once("SIGTERM", () => {
  isStopped = true;
});

function isWanted(): boolean {
  try {
    return !isStopped && process.kill(owner, 0);
  } catch {
    return false;
  }
}

/** Other processes see the complete file or none. */
async function publish(name: string, content: string): Promise<void> {
  await writeFile(join(folder, `${name}.new`), content);
  await rename(join(folder, `${name}.new`), join(folder, name));
}

async function serve(): Promise<void> {
  const cluster = await openCluster({ dataDir: folder });
  await appendFile(join(cluster.folder, "postgresql.conf"), SETTINGS);
  const server = await openEmbedded({ dataDir: folder });
  try {
    const admin = await openSession(server.url);
    await admin.query(`create database ${TEMPLATE}`);
    await admin.end();
    const template = await openDatabase({ url: urlOf(server.url, TEMPLATE), dataDir: "" });
    const jobs = await template.openJobs({ onError: () => undefined });
    await jobs.stop(0);
    await template.close();
    await publish("url", server.url);
    while (isWanted()) await delay(500);
  } finally {
    await server.release();
  }
}

try {
  await serve();
} catch (error) {
  await publish("failure", errorMessage(error)).catch(() => undefined);
  while (isWanted()) await delay(500);
} finally {
  await rm(folder, { recursive: true, force: true });
}
