/** Webhook deliveries and receivers, and independent verification of signatures with Web Crypto. */
import type { IncomingHttpHeaders, RequestListener, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import type { Client } from "pg";
import type { Test } from "tap";
import type { Database } from "../../db/index.ts";
import { startDeliveries } from "../../server/jobs/index.ts";
import { createWebhookClient, type WebhookClientOptions } from "../../server/outbound/index.ts";
import { httpServer } from "../outbound/test-servers.ts";
import { type OpenedJobs, openTestJobs, TestClock, until } from "./jobs.ts";
import { testLog } from "./log.ts";
import type { Caller, TestServer } from "./server.ts";

/** A received request. */
export interface Received {
  readonly headers: IncomingHttpHeaders;
  /** The raw body. */
  readonly body: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events of every kind
  readonly json: any;
}

export interface Receiver {
  readonly url: string;
  readonly received: readonly Received[];
  connections(): number;
}

/** Options of a test server whose accounts may subscribe with receivers on this machine. */
export const LOOPBACK = { outbound: { allow: ["127.0.0.1/32"] } };

/** A receiver that stores requests and responds as configured; by default with 204. */
export async function receiver(
  t: Test,
  answer: (response: ServerResponse, count: number) => void = (response) =>
    void response.writeHead(204).end(),
): Promise<Receiver> {
  const received: Received[] = [];
  const listener: RequestListener = async (request, response) => {
    const body = (await buffer(request)).toString();
    received.push({ headers: request.headers, body, json: JSON.parse(body) });
    answer(response, received.length);
  };
  const { url, connections } = await httpServer(t, listener);
  return { url: `${url}/hook`, received, connections };
}

/** Subscribes to new patterns, or to other events, and returns the response. */
export async function subscribe(
  { request }: TestServer,
  url: string,
  events: readonly string[] = ["pattern.created"],
  as?: Caller,
): Promise<{ readonly id: number; readonly secret: string }> {
  const json = { url, events };
  return (await request("POST", "/webhooks", { json, ...(as && { as }) })).json;
}

/** A node that delivers until the test ends, also to receivers on this machine. */
export async function deliver(
  t: Test,
  db: Database,
  { clock, ...options }: Partial<WebhookClientOptions> & { readonly clock?: TestClock } = {},
): Promise<OpenedJobs> {
  const jobs = await openTestJobs(t, db, clock && { clock });
  const webhookClient = createWebhookClient({
    allow: ["127.0.0.1/32"],
    allowHttp: true,
    ...options,
  });
  await startDeliveries(jobs, { webhookClient }, testLog().log);
  return jobs;
}

/** Delivers what is due and what will be, on a clock that runs ahead, until nothing is left. */
export async function deliverAll(t: Test, db: Database, session: Client): Promise<OpenedJobs> {
  const clock = new TestClock();
  const jobs = await deliver(t, db, { clock });
  await until(async () => {
    await clock.tick(5000);
    const { rows } = await session.query("select from deliveries where status <> 'delivered'");
    return rows.length === 0;
  });
  return jobs;
}

async function hmac(key: Uint8Array<ArrayBuffer>, text: string): Promise<Buffer> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", key, algorithm, false, ["sign"]);
  return Buffer.from(await crypto.subtle.sign("HMAC", imported, new TextEncoder().encode(text)));
}

/** Whether `X-Service-Signature` is that of this secret. */
export async function isServiceSigned({ headers, body }: Received, secret: string) {
  const expected = (await hmac(new TextEncoder().encode(secret), body)).toString("hex");
  return headers["x-service-signature"] === `sha256=${expected}`;
}

/** The index of this secret's signature among those of Standard Webhooks; -1: none. */
export async function placeOfSignature({ headers, body }: Received, secret: string) {
  const key = Uint8Array.from(Buffer.from(secret.replace(/^whsec_/, ""), "base64"));
  const content = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  const expected = `v1,${(await hmac(key, content)).toString("base64")}`;
  return String(headers["webhook-signature"]).split(" ").indexOf(expected);
}
