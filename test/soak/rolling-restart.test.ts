/**
 * Four processes behind a proxy are restarted one after the other under load: no request is lost.
 * `RESTART_ROUNDS=10` for a long run.
 */
import { setTimeout as delay } from "node:timers/promises";
import t, { type Test } from "tap";
import { openDatabase } from "../../db/index.ts";
import { DEFAULT_QUOTAS } from "../../db/quotas.ts";
import { createAccount } from "../../server/actions/accounts.ts";
import { createApiKey } from "../../server/actions/api-keys.ts";
import { testDatabaseUrl } from "../helpers/database.ts";
import { until } from "../helpers/jobs.ts";
import { findProxy, PROXIES, type ProxyName, startProxy } from "../helpers/proxies.ts";
import { startService } from "../helpers/service.ts";

const ROUNDS = Number(process.env.RESTART_ROUNDS ?? 1);
const NODES = 4;
const CLIENTS = 8;

for (const name of PROXIES) {
  const version = await findProxy(name);
  const skip = version === null && `${name} is not installed`;
  const timeout = 60_000 + ROUNDS * NODES * 90_000;
  t.test(`a rolling restart behind ${name} loses no request`, { skip, timeout }, async (t) => {
    t.comment(version);
    await restartUnderLoad(t, name);
  });
}

async function restartUnderLoad(t: Test, name: ProxyName): Promise<void> {
  const databaseUrl = await testDatabaseUrl();
  const agency = { ...DEFAULT_QUOTAS.agency, api_keys: 1000 };
  const quotas = { ...DEFAULT_QUOTAS, agency };
  const db = await openDatabase({ url: databaseUrl, dataDir: "", quotas });
  t.teardown(() => db.close());
  const fields = { email: "a@example.com", plan: "agency", credits: 1_000_000 } as const;
  const { id: accountId } = await createAccount(db, fields);

  const start = async (port: number) => {
    const service = await startService(t, {
      DATABASE_URL: databaseUrl,
      PORT: String(port),
      // The default, which the sample configurations go by.
      SHUTDOWN_DELAY_MS: "3000",
      TRUSTED_PROXIES: "1",
    });
    const url = await service.url();
    return { ...service, url, port: Number(new URL(url).port) };
  };
  const services = await Promise.all(Array.from({ length: NODES }, () => start(0)));
  const ports = services.map(({ port }) => port);
  const { url, noticesWithin } = await startProxy(t, name, ports);

  const { secret } = await createApiKey(db, accountId, "set-up");
  const call = async (key: string, method: string, path: string, json?: object) => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { "X-API-Key": key, ...(json && { "Content-Type": "application/json" }) },
      ...(json && { body: JSON.stringify(json) }),
    });
    return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
  };
  const make = async (path: string, json: object) =>
    JSON.parse((await call(secret, "POST", path, json)).bytes.toString()).id;
  const source_id = await make("/sources/presets", { preset: "floral", seed: 1 });
  const pattern = await make("/patterns", { source_id, group: "p4" });

  const failures: string[] = [];
  let answered = 0;
  let isOver = false;
  const client = async (number: number) => {
    // A key for every 300 requests, since a key may make 600 in a minute.
    let key = "";
    for (let count = 0; !isOver; count++) {
      if (count % 300 === 0) {
        key = (await createApiKey(db, accountId, `client ${number}`)).secret;
      }
      const kinds = [
        () => call(key, "GET", "/account"),
        () => call(key, "POST", `/patterns/${pattern}/render`, { size: 32 + (count % 64) }),
        () => call(key, "POST", "/patterns", { source_id, group: "p2" }),
        () => call(key, "GET", `/patterns/${pattern}/render?size=${64 + number}`),
      ];
      try {
        const { status, bytes } = await kinds[(count + number) % kinds.length]();
        if (status >= 400) failures.push(`${status} ${bytes}`);
        else answered++;
      } catch (error) {
        failures.push(String(error));
      }
    }
  };
  const clients = Array.from({ length: CLIENTS }, (_, number) => client(number));

  let running = services;
  for (let round = 0; round < ROUNDS; round++) {
    const restarted = [];
    for (const service of running) {
      const before = answered;
      service.process.kill("SIGTERM");
      t.equal(await service.ended, 0);
      await until(() => answered > before);
      restarted.push(await start(service.port));
      await delay(noticesWithin);
    }
    running = restarted;
  }
  isOver = true;
  await Promise.all(clients);
  t.same(failures.slice(0, 5), []);
  t.comment(`${NODES * ROUNDS} restarts, ${answered} requests answered, ${failures.length} failed`);
}
