/** Resources of an account that the document's operations need, created on demand. */
import { createHash } from "node:crypto";
import { mailTokenHash, makeMailToken as makeToken } from "../../server/actions/mail.ts";
import { EXAMPLE_PNG } from "../../server/actions/received-picture.ts";
import type { Caller, TestServer } from "../helpers/server.ts";

/** Values of path and query parameters. */
export type Values = Readonly<Record<string, string>>;

export interface Fixtures {
  makeSource(): Promise<number>;
  makePattern(): Promise<number>;
  /** Palettes of an example; those of pictures are taken from one that exists. */
  palettesOf(palettes: unknown): Promise<unknown[]>;
  /** The token of a link to the editor, which works once. */
  makeHandoff(): Promise<string>;
  /** A mailed token for the operation at a path. */
  makeMailToken(path: string): Promise<string>;
  /** A guest, with the session's token and a pattern created in it. */
  makeGuest(): Promise<{ readonly token: string; readonly pattern: number }>;
  /** Parameters that name a new resource of the account, for any path of the document. */
  valuesFor(path: string): Promise<Values>;
}

/** Creates resources in a caller's account. */
export function createFixtures({ url, db }: TestServer, { account, key, token }: Caller): Fixtures {
  const send = async (path: string, json: object, authorization = key) => {
    const headers = {
      Authorization: `Bearer ${authorization}`,
      "Content-Type": "application/json",
    };
    const init = { method: "POST", headers, body: JSON.stringify(json) };
    const response = await fetch(`${url}/api/v1${path}`, init);
    if (!response.ok) throw new Error(await response.text());
    return response.json();
  };

  const makeSource = async (as = key): Promise<number> =>
    (await send("/sources/upload", { data: EXAMPLE_PNG }, as)).id;
  const palettesOf = (palettes: unknown) =>
    Promise.all(
      (palettes as unknown[]).map(async (palette) =>
        typeof palette === "object" ? { ...palette, from: await makeSource() } : palette,
      ),
    );
  const makePattern = async (as = key): Promise<number> =>
    (await send("/patterns", { source_id: await makeSource(as), group: "p4" }, as)).id;
  /** A pattern of few colours, and one of them. */
  const makeFlatPattern = async (): Promise<Values> => {
    const pattern = { source_id: await makeSource(), group: "p4", effects: [{ id: "flat_inks" }] };
    const { id } = await send("/patterns", pattern);
    const path = `${url}/api/v1/patterns/${id}/inks`;
    const inks = await (await fetch(path, { headers: { "X-API-Key": key } })).json();
    return { id: String(id), colour: inks.data[0].colour.slice(1) };
  };
  const makeHandoff = async (): Promise<string> => {
    const handoff = { product_id: 4711, return_url: "https://shop.example/products/4711" };
    const { editor_url } = await send("/embed/handoff", handoff);
    return new URL(editor_url).searchParams.get("handoff") ?? "";
  };
  const makeGuest = async () => {
    const { token: guest } = await send("/embed/sessions", { handoff: await makeHandoff() });
    return { token: guest, pattern: await makePattern(guest) };
  };

  const makeMailToken = async (path: string): Promise<string> => {
    const token = makeToken();
    const email = `${token}@example.com`;
    if (path === "/api/v1/auth/email/confirm") {
      await db.mailTokens.store("change_email", account.id, mailTokenHash(token), 60, email);
      return token;
    }
    const purpose = path.includes("reset") ? "reset_password" : "verify_email";
    // Of another account, because a reset revokes its users' credentials.
    const { id } = await db.accounts.create({ email, plan: "trial", credits: 0 });
    await db.mailTokens.store(purpose, id, mailTokenHash(token), 60);
    return token;
  };

  const makeAccount = async (): Promise<number> => {
    const fields = { email: `${makeToken()}@example.com`, plan: "trial", credits: 9 } as const;
    return (await db.accounts.create(fields)).id;
  };

  const makeWebhook = async (): Promise<number> =>
    (await send("/webhooks", { url: "https://shop.example/", events: ["credits.low"] })).id;

  const PICTURE = Buffer.from(EXAMPLE_PNG, "base64");
  const sha256 = createHash("sha256").update(PICTURE).digest("hex");
  /** A finished export and a drawn mockup, without running their jobs. */
  const makeExport = async (): Promise<number> => {
    const order = { width_mm: 10, height_mm: 10, dpi: 72, format: "png" };
    const { export_id } = await send(`/patterns/${await makePattern()}/export`, order);
    const run = { id: export_id, run: (await db.exports.begin(export_id))?.run ?? 0 };
    await (await db.exports.openFile(run)).write(PICTURE);
    const facts = { bytes: PICTURE.length, sha256, certificate: null };
    await db.exports.finish(run, facts);
    return export_id;
  };
  /** A finished batch of one picture, without running its job. */
  const makeBatch = async (): Promise<number> => {
    const item = { pattern_id: await makePattern(), size: 64 };
    const { id } = await send("/batches", { items: [item] });
    const picture = await fetch(`${url}/api/v1/patterns/${item.pattern_id}/render?size=64`, {
      headers: { "X-API-Key": key },
    });
    const tag = picture.headers.get("ETag") ?? "";
    const bytes = new Uint8Array(await picture.arrayBuffer());
    const begun = await db.batches.begin(id);
    if (!begun) throw new Error("the batch is new");
    await db.batches.settleItem(begun.run, 0, {
      fingerprint: Buffer.from(tag.replaceAll('"', ""), "base64url").toString("hex"),
      sha256: createHash("sha256").update(bytes).digest("hex"),
      bytes: bytes.byteLength,
      media_type: "image/png",
      width: 64,
      height: 64,
    });
    await db.batches.finish(begun.run, `${url}/api/v1/batches/${id}/manifest`);
    return id;
  };
  const makeMockup = async (): Promise<number> => {
    const path = `/patterns/${await makePattern()}/mockups`;
    const { id } = (await send(path, { products: ["mug"] })).data[0];
    const { batch = "" } = (await db.mockups.get(account.id, id)) ?? {};
    await db.mockups.settle(batch, id, { image: PICTURE });
    return id;
  };

  /** By the path up to its parameter. */
  const makers: Readonly<Record<string, () => Promise<Values>>> = {
    "/api/v1/sources/{id}": async () => ({ id: String(await makeSource()), level: "0" }),
    "/api/v1/patterns/{id}": async () => ({ id: String(await makePattern()) }),
    "/api/v1/api-keys/{id}": async () => ({
      id: String((await send("/api-keys", { name: "spare" }, token)).id),
    }),
    "/api/v1/webhooks/{id}": async () => ({ id: String(await makeWebhook()) }),
    "/api/v1/deliveries/{id}": async () => ({
      id: (await send(`/webhooks/${await makeWebhook()}/test`, {})).id,
    }),
    "/api/v1/batches/{id}": async () => ({ id: String(await makeBatch()), index: "0" }),
    "/api/v1/exports/{id}": async () => ({ id: String(await makeExport()) }),
    "/api/v1/mockups/{id}": async () => ({ id: String(await makeMockup()) }),
    "/api/v1/embed/handoffs/{id}": async () => {
      const { token: guest, pattern } = await makeGuest();
      await send("/embed/finish", { pattern_id: pattern }, guest);
      const [handoff] = (await db.handoffs.list(account.id, { limit: 1 })).rows;
      return { id: String(handoff?.id) };
    },
    "/api/v1/operator/accounts/{id}": async () => ({ id: String(await makeAccount()) }),
    "/api/v1/mcp/messages": () => openSession(),
    "/api/v1/renders/{name}": async () => {
      const link = await send(`/patterns/${await makePattern()}/render-url`, { size: 16 });
      const { pathname, searchParams } = new URL(link.url);
      return { name: pathname.split("/").at(-1) ?? "", token: searchParams.get("token") ?? "" };
    },
  };

  /** Streams without an owner would be closed. */
  const streams: Response[] = [];

  /** The stream stays open until the server closes it. */
  const openSession = async (): Promise<Values> => {
    const stream = await fetch(`${url}/api/v1/mcp/sse`, { headers: { "X-API-Key": key } });
    streams.push(stream);
    const first = await stream.body?.getReader().read();
    const [, session_id = ""] =
      /session_id=([\w-]+)/.exec(Buffer.from(first?.value ?? []).toString()) ?? [];
    return { session_id };
  };

  return {
    palettesOf,
    makeSource,
    makePattern,
    makeHandoff,
    makeMailToken,
    makeGuest,
    async valuesFor(path) {
      if (/\/(inks|swatches|separations|vector)\b/.test(path)) return makeFlatPattern();
      const [start = path] = /^.*?\}/.exec(path) ?? [];
      const maker = makers[start];
      if (!maker && start.endsWith("}"))
        throw new Error(`nothing is known to be made for ${start}`);
      return maker?.() ?? {};
    },
  };
}
