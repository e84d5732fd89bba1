/** The tools over real services, called as a client calls them. */

import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { Test } from "tap";
import { createAccount } from "../../server/actions/accounts.ts";
import type { Account, Services } from "../../server/actions/services.ts";
import { LISTED_TOOLS } from "../../server/mcp/listings.ts";
import type { ImageResponse } from "../../server/mcp/tool.ts";
import { TOOLS } from "../../server/mcp/tools/index.ts";
import type { FetcherOptions } from "../../server/outbound/index.ts";
import { processEngine } from "../helpers/engine.ts";
import { hash, photograph, pngOf } from "../helpers/pictures.ts";
import { testServices } from "../helpers/services.ts";

export const PUBLIC_URL = "https://orbifold.test";

export interface Toolbox {
  readonly services: Services;
  readonly account: Account;
  /** Calls a tool that returns data, and checks the result against its output schema. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  call(name: string, input?: object, signal?: AbortSignal): Promise<any>;
  /** Calls a tool that returns a picture. */
  picture(name: string, input: object, signal?: AbortSignal): Promise<ImageResponse & Facts>;
  /** The account's remaining credits. */
  credits(): Promise<number>;
  /** The same tools for another account. */
  stranger(): Promise<Toolbox>;
  /** Uploads a picture, by default like a photograph; returns the source's id. */
  makeSource(picture?: Uint8Array): Promise<number>;
  /** Creates a pattern of a new source; returns its id. */
  makePattern(fields?: object, picture?: Uint8Array): Promise<number>;
}

interface Facts {
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly facts: any;
}

/** Validates by JSON Schema alone, strictly. */
export function judge() {
  const ajv = new Ajv2020({ allErrors: true, strict: true, strictTypes: false });
  addFormats.default(ajv);
  return ajv;
}

/** Tools for an account on a new database. */
export async function toolbox(t: Test, outbound: Partial<FetcherOptions> = {}): Promise<Toolbox> {
  const services = {
    ...(await testServices(t, await processEngine(), outbound)),
    editorUrl: "http://127.0.0.1:3000/editor",
    publicUrl: PUBLIC_URL,
  };
  return toolsFor(t, services, "somebody");
}

async function toolsFor(t: Test, services: Services, name: string): Promise<Toolbox> {
  const { db } = services;
  const account = await createAccount(db, { email: `${name}@example.com`, plan: "trial" });
  const ajv = judge();

  const run = async (name: string, given: object, signal = new AbortController().signal) => {
    const tool = TOOLS.find((one) => one.name === name);
    if (!tool) throw new Error(`no tool ${name}`);
    const input = tool.check(structuredClone(given));
    const now = (await db.accounts.byId(account.id)) as Account;
    return { tool, answer: await tool.run({ services, account: now, input, signal }) };
  };
  const call: Toolbox["call"] = async (name, input = {}, signal) => {
    const { answer } = await run(name, input, signal);
    const { outputSchema } = LISTED_TOOLS.find((one) => one.name === name) ?? {};
    const validate = ajv.compile(outputSchema ?? false);
    const isAsPublished = validate(JSON.parse(JSON.stringify(answer)));
    t.ok(isAsPublished, `${name} answers as published ${ajv.errorsText(validate.errors)}`);
    return answer;
  };
  const makeSource: Toolbox["makeSource"] = async (picture = pngOf(photograph(96, 64))) => {
    const data = Buffer.from(picture).toString("base64");
    return (await call("upload_source_from_base64", { data })).id;
  };
  return {
    services,
    account,
    call,
    picture: async (name, input, signal) => {
      const { tool, answer } = await run(name, input, signal);
      if (tool.kind !== "picture") throw new Error(`${name} gives no picture`);
      return answer as ImageResponse & Facts;
    },
    credits: async () => (await db.accounts.byId(account.id))?.credits ?? Number.NaN,
    stranger: () => toolsFor(t, services, "stranger"),
    makeSource,
    makePattern: async (fields = {}, picture) => {
      const source_id = await makeSource(picture);
      return (await call("create_pattern", { source_id, group: "p4", ...fields })).id;
    },
  };
}

/** An incompressible picture of random pixels; with `transparent`, its alpha too. */
export function noise(size: number, { transparent = false } = {}): Uint8Array {
  const channels = transparent ? 4 : 3;
  const pixels = Uint8Array.from({ length: size * size * channels }, (_, at) =>
    Math.floor(256 * hash(at, 7)),
  );
  return pngOf({ width: size, height: size, channels, pixels });
}
