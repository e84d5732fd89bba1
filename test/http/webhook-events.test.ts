/** Webhook requests as receivers see them. */
import t from "tap";
import { EXAMPLE_PNG } from "../../server/actions/received-picture.ts";
import { createSchemaValidator, fetchDocument } from "../contract/document.ts";
import { TestClock, until } from "../helpers/jobs.ts";
import { testServer } from "../helpers/server.ts";
import {
  deliver,
  isServiceSigned,
  LOOPBACK,
  placeOfSignature,
  receiver,
  subscribe,
} from "../helpers/webhooks.ts";

const HOUR = 3_600_000;

t.test("delivers pattern.created to subscribers with both signatures", async (t) => {
  const server = await testServer(t, LOOPBACK);
  await deliver(t, server.db);
  const [target, quiet] = [await receiver(t), await receiver(t)];
  const { id, secret } = await subscribe(server, target.url);
  await subscribe(server, quiet.url, ["credits.low"]);
  await subscribe(server, quiet.url, ["pattern.created"], await server.makeCaller({}));
  const stopped = await subscribe(server, quiet.url);
  const disabled = { json: { enabled: false } };
  await server.request("PATCH", `/webhooks/${stopped.id}`, disabled);
  const removed = await subscribe(server, quiet.url);
  await server.request("DELETE", `/webhooks/${removed.id}`);

  const source_id = await server.makeSource();
  const json = { source_id, group: "*442", name: "Käte's “tiles” 🌸" };
  const pattern = (await server.request("POST", "/patterns", { json })).json;
  const refused = { ...json, source_id: source_id + 1 };
  t.equal((await server.request("POST", "/patterns", { json: refused })).status, 404);
  await until(() => target.received.length === 1);
  const [received] = target.received;
  if (!received) return;
  const { headers, json: told } = received;
  t.same(told, {
    event: "pattern.created",
    data: {
      pattern_id: pattern.id,
      source_id,
      group: "p4m",
      name: json.name,
      account_id: server.account.id,
      delivery_id: headers["webhook-id"],
      created_at: pattern.created_at,
    },
  });
  t.match(headers, {
    "content-type": "application/json",
    "x-service-event": "pattern.created",
    "user-agent": /^orbifold\//,
    "webhook-timestamp": /^\d{10}$/,
  });
  t.ok(await isServiceSigned(received, secret));
  t.equal(await placeOfSignature(received, secret), 0);
  const forged = { ...received, body: received.body.replace("p4m", "p6m") };
  t.notOk(await isServiceSigned(forged, secret));
  t.equal(await placeOfSignature(forged, secret), -1);

  const list = async () => (await server.request("GET", `/webhooks/${id}/deliveries`)).json.data;
  await until(async () => (await list())[0].status === "delivered");
  t.match(await list(), [
    {
      id: told.data.delivery_id,
      webhook_id: id,
      event: "pattern.created",
      attempts: 1,
      next_attempt_at: null,
      response_status: 204,
      response_body: "",
      error: null,
    },
  ]);
  t.equal(quiet.connections(), 0);
});

t.test("delivers nothing for rejected requests", async (t) => {
  const server = await testServer(t, LOOPBACK);
  const as = await server.makeCaller({ credits: 1 });
  const { id } = await subscribe(server, "https://shop.example/", undefined, as);
  const data = { data: EXAMPLE_PNG };
  const source = (await server.request("POST", "/sources/upload", { as, json: data })).json;
  const ask = () =>
    server.request("POST", "/patterns", { as, json: { source_id: source.id, group: "p4" } });
  const replies = [await ask(), await ask()];
  t.same(
    replies.map(({ status }) => status),
    [201, 402],
  );
  const path = `/webhooks/${id}/deliveries`;
  t.equal((await server.request("GET", path, { as })).json.data.length, 1);
});

t.test("deliveries match the document", async (t) => {
  const server = await testServer(t, LOOPBACK);
  await deliver(t, server.db);
  const validate = createSchemaValidator(await fetchDocument(server.url));
  const target = await receiver(t);
  const as = await server.makeCaller({ credits: 10 });
  const { id } = await subscribe(server, target.url, ["pattern.created", "credits.low"], as);
  const json = { data: EXAMPLE_PNG };
  const source_id = (await server.request("POST", "/sources/upload", { as, json })).json.id;
  await server.request("POST", "/patterns", { as, json: { source_id, group: "p4" } });
  await server.request("POST", `/webhooks/${id}/test`, { as });
  await until(() => target.received.length === 3);
  const events = target.received.map(({ json }) => json.event);
  t.same(new Set(events), new Set(["pattern.created", "credits.low", "ping"]));
  for (const { json, headers } of target.received) {
    const place = `#/webhooks/${json.event}/post/requestBody/content/application~1json/schema`;
    t.equal(validate(place, json), null, json.event);
    t.equal(headers["x-service-event"], json.event);
  }
  const low = target.received.find(({ json }) => json.event === "credits.low");
  t.match(low?.json.data, { credits: 9, threshold: 10, account_id: as.account.id });
});

t.test("both secrets sign during a rotation, then only the new one", async (t) => {
  const clock = new TestClock();
  const server = await testServer(t, LOOPBACK);
  await deliver(t, server.db, { clock });
  const target = await receiver(t);
  const { id, secret: first } = await subscribe(server, target.url);
  const rotate = async (json: object) =>
    (await server.request("POST", `/webhooks/${id}/rotate-secret`, { json })).json;
  /** A test event, as received. */
  const ping = async () => {
    const count = target.received.length;
    await server.request("POST", `/webhooks/${id}/test`);
    await until(() => target.received.length > count);
    const received = target.received[count];
    if (!received) throw new Error("nothing came");
    return received;
  };

  const { secret: second, previous_secret_until } = await rotate({});
  const ends = Date.parse(previous_secret_until);
  t.ok(Math.abs(ends - Date.now() - 24 * HOUR) < HOUR);
  const between = await ping();
  t.ok(await isServiceSigned(between, first));
  t.notOk(await isServiceSigned(between, second));
  t.equal(await placeOfSignature(between, second), 0);
  t.equal(await placeOfSignature(between, first), 1);

  await clock.setTime(ends + 1000);
  const after = await ping();
  t.ok(await isServiceSigned(after, second));
  t.equal(await placeOfSignature(after, second), 0);
  t.equal(await placeOfSignature(after, first), -1);

  const { secret: third, previous_secret_until: none } = await rotate({ overlap_hours: 0 });
  t.equal(none, null);
  const last = await ping();
  t.ok(await isServiceSigned(last, third));
  t.equal(await placeOfSignature(last, second), -1);
  for (const overlap_hours of [-1, 169, 0.5]) {
    const reply = await server.request("POST", `/webhooks/${id}/rotate-secret`, {
      json: { overlap_hours },
    });
    t.equal(reply.status, 422);
  }
});

t.test("a redelivery has the same bytes", async (t) => {
  const server = await testServer(t, LOOPBACK);
  await deliver(t, server.db);
  const target = await receiver(t);
  const { id } = await subscribe(server, target.url);
  const sent = await server.request("POST", `/webhooks/${id}/test`);
  t.equal(sent.status, 202);
  t.match(sent.json, { status: "pending", attempts: 0, event: "ping", webhook_id: id });
  const list = async () => (await server.request("GET", `/webhooks/${id}/deliveries`)).json.data;
  await until(async () => (await list())[0].status === "delivered");
  const again = await server.request("POST", `/deliveries/${sent.json.id}/redeliver`);
  t.equal(again.status, 202);
  t.match(again.json, { id: sent.json.id, status: "pending", attempts: 1 });
  await until(async () => (await list())[0].attempts === 2);
  t.match(await list(), [{ id: sent.json.id, status: "delivered" }], "and is still one delivery");
  t.equal(target.received[0]?.body, target.received[1]?.body);
  t.same(target.received[0]?.json, {
    event: "ping",
    data: {
      webhook_id: id,
      account_id: server.account.id,
      delivery_id: sent.json.id,
      created_at: sent.json.created_at,
    },
  });
});

t.test("a disabled webhook gets nothing, including redeliveries", async (t) => {
  const server = await testServer(t, LOOPBACK);
  const target = await receiver(t);
  const { id } = await subscribe(server, target.url);
  const { json: waiting } = await server.request("POST", `/webhooks/${id}/test`);
  await server.request("PATCH", `/webhooks/${id}`, { json: { enabled: false } });
  for (const path of [`/webhooks/${id}/test`, `/deliveries/${waiting.id}/redeliver`]) {
    t.equal((await server.request("POST", path)).json.code, "conflict");
  }
  await server.makePattern();
  await deliver(t, server.db);
  const list = async () => (await server.request("GET", `/webhooks/${id}/deliveries`)).json.data;
  await until(async () => (await list())[0].status === "failed");
  const row = { id: waiting.id, attempts: 0, error: "the webhook is disabled" };
  t.match(await list(), [row], "what was on its way is given up, and nothing was added");
  t.equal(target.connections(), 0);

  await server.request("PATCH", `/webhooks/${id}`, { json: { enabled: true } });
  t.equal((await server.request("POST", `/deliveries/${waiting.id}/redeliver`)).status, 202);
  await until(() => target.received.length === 1);
});
