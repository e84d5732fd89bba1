/** Test events, the attempts at deliveries, and sending failed ones again. */
import t from "tap";
import { createSchemaValidator, fetchDocument } from "../contract/document.ts";
import { TestClock, until } from "../helpers/jobs.ts";
import { type Caller, testServer } from "../helpers/server.ts";
import { deliver, isServiceSigned, LOOPBACK, receiver, subscribe } from "../helpers/webhooks.ts";

const EVENTS = [
  "ping",
  "pattern.created",
  "design.applied",
  "mockup.ready",
  "batch.ready",
  "credits.low",
];

t.test("every event can be sent as a test, signed and marked", async (t) => {
  const server = await testServer(t, LOOPBACK);
  await deliver(t, server.db);
  const target = await receiver(t);
  const { id, secret } = await subscribe(server, target.url);
  const validate = createSchemaValidator(await fetchDocument(server.url));
  for (const event of EVENTS) {
    await server.request("POST", `/webhooks/${id}/test?event=${event}`);
  }
  await until(() => target.received.length === EVENTS.length);
  t.same(target.received.map(({ json }) => json.event).toSorted(), EVENTS.toSorted());
  for (const received of target.received) {
    const { event, data } = received.json;
    t.ok(await isServiceSigned(received, secret));
    t.equal(data.test, event === "ping" ? undefined : true);
    const place = `#/webhooks/${event}/post/requestBody/content/application~1json/schema`;
    t.equal(validate(place, received.json), null, event);
  }
  t.equal((await server.request("POST", `/webhooks/${id}/test?event=none`)).status, 422);
});

t.test("a delivery shows its body and every attempt, and failures are recovered", async (t) => {
  const server = await testServer(t, LOOPBACK);
  const clock = new TestClock("2030-01-01T00:00:00Z");
  await deliver(t, server.db, { clock });
  let isBroken = true;
  const target = await receiver(t, (response, count) =>
    response.writeHead(isBroken ? 503 : 200).end(`answer ${count}`),
  );
  const { id } = await subscribe(server, target.url);
  const { id: failing } = (await server.request("POST", `/webhooks/${id}/test`)).json;
  const deliveryOf = async () => (await server.request("GET", `/deliveries/${failing}`)).json;
  /** Lets the times of attempts come until it holds. */
  const after = (isSo: () => Promise<boolean>) =>
    until(async () => {
      const { next_attempt_at } = await deliveryOf();
      if (Date.parse(next_attempt_at) > clock.now()) await clock.setTime(next_attempt_at);
      await clock.tick(3000);
      return isSo();
    });
  await after(async () => (await deliveryOf()).status === "failed");
  const failed = await deliveryOf();
  t.equal(failed.status, "failed");
  t.equal(failed.body, target.received[0]?.body);
  t.same(
    failed.history.map(
      (one: { number: number; response_status: number; response_body: string }) => [
        one.number,
        one.response_status,
        one.response_body,
      ],
    ),
    [1, 2, 3, 4, 5].map((number) => [number, 503, `answer ${number}`]),
  );

  isBroken = false;
  await server.request("POST", `/webhooks/${id}/test?event=credits.low`);
  const list = async (query: string) =>
    (await server.request("GET", `/webhooks/${id}/deliveries?${query}`)).json.data;
  await after(async () => (await list("status=delivered")).length === 1);
  t.match(await list("status=failed"), [{ id: failing, event: "ping" }]);
  t.match(await list("event=credits.low"), [{ status: "delivered" }]);
  t.same(await list("event=credits.low&status=failed"), []);

  const recover = (since: string, as: Caller = server) =>
    server.request("POST", `/webhooks/${id}/recover`, { json: { since }, as });
  t.same((await recover("2999-01-01T00:00:00Z")).json, { redelivered: 0, has_more: false });
  t.same((await recover(failed.created_at)).json, { redelivered: 1, has_more: false });
  await after(async () => (await deliveryOf()).status === "delivered");
  t.equal((await deliveryOf()).history.length, 6);
  t.same((await recover(failed.created_at)).json, { redelivered: 0, has_more: false });
  t.equal((await recover("yesterday")).status, 422);
  const other = await server.makeCaller({});
  t.equal((await recover(failed.created_at, other)).status, 404);
  t.equal((await server.request("GET", `/deliveries/${failing}`, { as: other })).status, 404);
});
