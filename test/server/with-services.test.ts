import t from "tap";
import { readConfig } from "../../server/config.ts";
import { withServices } from "../../server/with-services.ts";
import { temporaryFolder, testDatabaseUrl } from "../helpers/database.ts";
import { request } from "../helpers/engine.ts";
import { testLog } from "../helpers/log.ts";
import { noisePng } from "../helpers/pictures.ts";

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
