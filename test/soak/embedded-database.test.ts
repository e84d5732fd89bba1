/** Starting, finding, taking over and stopping the embedded database, with real processes. */
import { type ChildProcess, execFile, fork } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import t, { type Test } from "tap";
import { openSession } from "../../db/connection/pool.ts";
import { openEmbedded } from "../../db/embedded/index.ts";
import { DatabaseUnavailable, openDatabase } from "../../db/index.ts";
import { temporaryFolder } from "../helpers/database.ts";

interface Answer {
  readonly isNew?: boolean;
  readonly accounts?: number;
  readonly error?: string;
}

const pidFile = (dataDir: string) => join(dataDir, "postgres/cluster/postmaster.pid");

/** The id of the server's process, or null if its file is missing. */
async function serverOf(dataDir: string): Promise<number | null> {
  const content = await readFile(pidFile(dataDir), "utf8").catch(() => null);
  return content === null ? null : Number.parseInt(content, 10);
}

/** A zombie process has no command line. */
async function isRunning(pid: number | null): Promise<boolean> {
  if (process.platform === "linux") {
    return (await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")) !== "";
  }
  try {
    return pid !== null && process.kill(pid, 0);
  } catch {
    return false;
  }
}

let made: Promise<string> | undefined;

async function makeDataFolder(): Promise<string> {
  const folder = await temporaryFolder(t);
  await (await openDatabase({ dataDir: folder })).close();
  return folder;
}

/** A data folder with a database that is stopped: a copy, because making one takes seconds. */
async function usedDataFolder(t: Test): Promise<string> {
  made ??= makeDataFolder();
  const folder = await temporaryFolder(t);
  await promisify(execFile)("cp", ["-a", `${await made}/.`, folder]);
  return folder;
}

/** Starts a process that uses the database; resolves when it is open. */
async function startUser(t: Test, dataDir: string) {
  const child: ChildProcess = fork(new URL("../db/embedded-user.ts", import.meta.url), [dataDir], {
    detached: true,
  });
  t.teardown(() => child.kill("SIGKILL"));
  const listen = async (): Promise<Answer> => (await once(child, "message"))[0];
  const first = await listen();
  return {
    first,
    child,
    ask: () => {
      child.send("accounts");
      return listen();
    },
    close: async () => {
      child.send("close");
      await once(child, "exit");
    },
    kill: async () => {
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

t.test("processes that start concurrently on an empty folder share one database", async (t) => {
  const dataDir = await temporaryFolder(t);
  const users = await Promise.all([1, 2, 3].map(() => startUser(t, dataDir)));
  t.same(
    users.map(({ first }) => first.error),
    [undefined, undefined, undefined],
  );
  t.same(await readdir(dataDir), ["postgres"]);
  const server = await serverOf(dataDir);

  const db = await openDatabase({ dataDir });
  await db.accounts.create({ email: "a@example.org", plan: "trial", credits: 1 });
  await db.close();
  t.same(
    await Promise.all(users.map((user) => user.ask())),
    [1, 2, 3].map(() => ({ accounts: 1 })),
  );
  t.equal(await serverOf(dataDir), server);

  await Promise.all(users.map((user) => user.close()));
  t.equal(await serverOf(dataDir), null);
  t.notOk(await isRunning(server));
});

t.test(
  "the last process that uses the database stops it, even if another one started it",
  async (t) => {
    const dataDir = await usedDataFolder(t);
    const starter = await startUser(t, dataDir);
    const server = await serverOf(dataDir);
    const guest = await startUser(t, dataDir);
    await starter.close();
    t.same(await guest.ask(), { accounts: 0 });
    t.equal(await serverOf(dataDir), server);
    await guest.close();
    t.notOk(await isRunning(server));
  },
);

t.test("adopts a database whose parent process was killed", async (t) => {
  const dataDir = await usedDataFolder(t);
  const starter = await startUser(t, dataDir);
  const server = await serverOf(dataDir);
  await starter.kill();
  t.ok(await isRunning(server));
  const heir = await startUser(t, dataDir);
  t.equal(await serverOf(dataDir), server);
  t.same(await heir.ask(), { accounts: 0 });
  await heir.close();
  t.notOk(await isRunning(server));
});

t.test("processes that start and stop concurrently always find a database", async (t) => {
  const dataDir = await temporaryFolder(t);
  const comeAndGo = async () => {
    for (let round = 0; round < 4; round++) {
      const db = await openDatabase({ dataDir });
      await db.ping();
      await db.close();
    }
  };
  await Promise.all([comeAndGo(), comeAndGo(), comeAndGo()]);
  t.equal(await serverOf(dataDir), null);
});

t.test("Ctrl-C in a terminal does not reach the database", async (t) => {
  const dataDir = await usedDataFolder(t);
  const user = await startUser(t, dataDir);
  const server = await serverOf(dataDir);
  // Like a terminal: the signal goes to every process of the group.
  process.kill(-(user.child.pid ?? 0), "SIGINT");
  t.same(await user.ask(), { accounts: 0 });
  t.equal(await serverOf(dataDir), server);
  await user.close();
});

t.test("ignores a stale PID file that names a running process", async (t) => {
  const dataDir = await usedDataFolder(t);
  const left = [process.pid, "/somewhere", 1_700_000_000, 5432, "", "127.0.0.1", "1 1", "ready"];
  await writeFile(pidFile(dataDir), `${left.join("\n")}\n`);
  const db = await openDatabase({ dataDir });
  await db.ping();
  t.not(await serverOf(dataDir), process.pid);
  await db.close();
});

t.test("restarts a database that was killed", async (t) => {
  const dataDir = await usedDataFolder(t);
  const db = await openDatabase({ dataDir });
  const { id } = await db.accounts.create({ email: "a@example.org", plan: "pro", credits: 3 });
  const killed = await serverOf(dataDir);
  process.kill(killed ?? 0, "SIGKILL");
  const isBack = () =>
    db.ping().then(
      () => true,
      () => false,
    );
  while ((await serverOf(dataDir)) === killed || !(await isBack())) await delay(50);
  t.match(await db.accounts.byId(id), { credits: 3 });
  await db.close();
  t.equal(await serverOf(dataDir), null);
});

t.test("starts a lost database again, however long something keeps it from starting", async (t) => {
  const dataDir = await usedDataFolder(t);
  const said: string[] = [];
  const lost = async (embedded: Awaited<ReturnType<typeof openEmbedded>>) => {
    process.kill((await serverOf(dataDir)) ?? 0, "SIGKILL");
    while (await openSession(embedded.url).then(closed, () => false)) await delay(10);
  };
  const closed = (session: Awaited<ReturnType<typeof openSession>>) =>
    session.end().then(() => true);
  const isBack = async (url: string) => {
    while (!(await openSession(url).then(closed, () => false))) await delay(50);
    return true;
  };
  const embedded = await openEmbedded({ dataDir, log: (line) => said.push(line) });
  const { port } = new URL(embedded.url);

  const control = join(dataDir, "postgres/cluster/global/pg_control");
  await rename(control, `${control}.away`);
  await lost(embedded);
  while (!said.some((line) => line.includes("does not start"))) await delay(50);
  await rename(`${control}.away`, control);
  t.ok(await isBack(embedded.url), "after its files were damaged");

  // Until the port was taken before the server started again.
  for (let isTaken = false; !isTaken; ) {
    await lost(embedded);
    const other = createServer().listen(Number(port), "127.0.0.1");
    isTaken = await once(other, "listening").then(
      () => true,
      () => false,
    );
    if (isTaken) {
      await delay(500);
      await once(other.close(), "close");
    }
    await isBack(embedded.url);
  }
  t.ok(await isBack(embedded.url), "after another took its port");
  t.notOk(said.some((line) => line.includes("another port")));
  await embedded.release();
  t.equal(await serverOf(dataDir), null);
});

t.test("deletes incomplete files of a killed process", async (t) => {
  const dataDir = await temporaryFolder(t);
  await mkdir(join(dataDir, "postgres.new-dead/cluster"), { recursive: true });
  await (await openDatabase({ dataDir })).close();
  t.same(await readdir(dataDir), ["postgres"]);
});

t.test(
  "the server has checksums, fsync and UTF-8, and does not listen on the network",
  async (t) => {
    const dataDir = await usedDataFolder(t);
    const embedded = await openEmbedded({ dataDir });
    const session = await openSession(embedded.url);
    const { rows } = await session.query(
      `select name, setting from pg_settings where name in
       ('data_checksums', 'fsync', 'full_page_writes', 'server_encoding', 'listen_addresses',
        'unix_socket_directories') order by name`,
    );
    t.same(Object.fromEntries(rows.map(({ name, setting }) => [name, setting])), {
      data_checksums: "on",
      fsync: "on",
      full_page_writes: "on",
      listen_addresses: "127.0.0.1",
      server_encoding: "UTF8",
      unix_socket_directories: "",
    });
    t.same((await session.query("select lower('ÄÖÜ') as small")).rows, [{ small: "äöü" }]);
    await session.end();
    const stranger = Object.assign(new URL(embedded.url), { password: "guess" }).href;
    await t.rejects(openSession(stranger), { code: "28P01" });
    for (const [name, mode] of [
      ["password", 0o600],
      ["cluster", 0o700],
    ] as const) {
      t.equal((await stat(join(dataDir, "postgres", name))).mode & 0o777, mode, name);
    }
    await embedded.release();
  },
);

t.test("only starts without an account count as new", async (t) => {
  const dataDir = await temporaryFolder(t);
  const first = await openDatabase({ dataDir });
  t.equal(first.isNew, true);
  t.match(first.description, /^embedded PostgreSQL 18 in /);
  await first.accounts.create({ email: "a@example.org", plan: "pro", credits: 0 });
  await first.close();
  const second = await openDatabase({ dataDir });
  t.equal(second.isNew, false);
  await second.close();
});

t.test("reports an unusable data folder in one line", async (t) => {
  const file = join(await temporaryFolder(t), "file");
  await writeFile(file, "");
  const error = await openDatabase({ dataDir: file }).catch((thrown: Error) => thrown);
  t.ok(error instanceof DatabaseUnavailable);
  t.match(String(error), file);
  t.notMatch(String(error), "\n");
});
