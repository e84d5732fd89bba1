/** A keyed request whose process is killed can be repeated at once on another, and runs once. */
import { once } from "node:events";
import { createServer } from "node:http";
import t from "tap";
import { openDatabase } from "../../../db/index.ts";
import { createAccount } from "../../../server/actions/accounts.ts";
import { createApiKey } from "../../../server/actions/api-keys.ts";
import { testDatabaseUrl } from "../../helpers/database.ts";
import { until } from "../../helpers/jobs.ts";
import { photograph, pngOf } from "../../helpers/pictures.ts";
import { portOf } from "../../helpers/port-of.ts";
import { startService } from "../../helpers/service.ts";

/** Less than the minute of a claim that expires by time. */
const options = { timeout: 50_000 };

t.test(
  "after kill -9 a request with a key can be repeated at once on another node",
  options,
  async (t) => {
    const url = await testDatabaseUrl();
    const db = await openDatabase({ url, dataDir: "" });
    t.teardown(() => db.close());
    const { id } = await createAccount(db, { email: "a@example.com", plan: "pro" });
    const { secret } = await createApiKey(db, id, "test");

    // The first fetch of the picture never ends, so its request is in flight when it is killed.
    const fetches: string[] = [];
    const origin = createServer((request, response) => {
      if (fetches.push(request.url ?? "") > 1) response.end(pngOf(photograph(60, 40)));
    }).listen(0, "127.0.0.1");
    await once(origin, "listening");
    t.teardown(() => origin.closeAllConnections());
    t.teardown(() => origin.close());
    const picture = `http://127.0.0.1:${portOf(origin)}/a.png`;

    const environment = { DATABASE_URL: url, OUTBOUND_ALLOW: "127.0.0.1/32" };
    const [doomed, other] = [
      await startService(t, environment),
      await startService(t, environment),
    ];
    const send = async (service: typeof other) => {
      const response = await fetch(`${await service.url()}/api/v1/sources/url`, {
        method: "POST",
        headers: {
          "X-API-Key": secret,
          "Content-Type": "application/json",
          "Idempotency-Key": "order-1",
        },
        body: JSON.stringify({ url: picture }),
      });
      const json = await response.json();
      return { status: response.status, ...json };
    };

    const lost = send(doomed).then(
      () => t.fail("the killed process answered"),
      () => undefined,
    );
    await until(() => fetches.length > 0);
    t.match(await send(other), { status: 409, code: "idempotency_in_flight" });
    doomed.process.kill("SIGKILL");
    await lost;
    const killed = performance.now();
    let answer = await send(other);
    while (answer.code === "idempotency_in_flight") answer = await send(other);
    t.comment(`repeated ${Math.round(performance.now() - killed)} ms after the kill`);
    t.equal(answer.status, 201);
    t.same(await send(other), answer, "and from then on it is answered the same");
    t.equal(fetches.length, 2);
    t.equal((await db.accounts.usage(id)).sources, 1);
  },
);
