import t from "tap";
import { readConfig } from "../../server/config.ts";
import { withServices } from "../../server/with-services.ts";
import { temporaryFolder, testDatabaseUrl } from "../helpers/database.ts";
import { request } from "../helpers/engine.ts";
import { testLog } from "../helpers/log.ts";
import { noisePng } from "../helpers/pictures.ts";

t.test("a bucket that cannot be reached is named, without the secret", async (t) => {
  const config = readConfig({
    DATABASE_URL: await testDatabaseUrl(),
    DATA_DIR: await temporaryFolder(t),
    ENGINE_BACKEND: "webasm",
    OBJECT_STORE_URL: "s3://key:secret@127.0.0.1:1/patterns?tls=false",
  });
  const opening = withServices(config, testLog().log, { mayCreate: false }, async () => undefined);
  await t.rejects(opening, {
    code: "unavailable",
    message:
      "OBJECT_STORE_URL: cannot reach the bucket patterns at http://127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1",
  });
});

t.test("modules that block the event loop while they load leave the service ready", async (t) => {
  const config = readConfig({
    DATABASE_URL: await testDatabaseUrl(),
    DATA_DIR: await temporaryFolder(t),
    ENGINE_BACKEND: "webasm",
  });
  // For longer than a service that is ready may block it.
  const load = async () => {
    for (const end = performance.now() + 2500; performance.now() < end; );
  };
  const { event_loop } = await withServices(
    config,
    testLog().log,
    { mayCreate: false },
    ({ readiness }) => readiness.check(),
    load,
  );
  t.equal(event_loop.status, "ok");
});

t.test("closing the services ends running renders within the grace period", async (t) => {
  const config = readConfig({
    DATABASE_URL: await testDatabaseUrl(),
    DATA_DIR: await temporaryFolder(t),
    ENGINE_BACKEND: "webasm",
    SHUTDOWN_GRACE_MS: "600000",
  });
  const source = await noisePng(1500, 1500);
  const { body } = await withServices(config, testLog().log, { mayCreate: false }, ({ engine }) =>
    // More bytes than are sent ahead of a reader.
    engine.renderStream(request({ group: "p1", source, render: { size: 2000 } })),
  );
  await t.rejects(Array.fromAsync(body));
});
