/** Things of an account that the document's operations are about, made as they are needed. */
import { PICTURE_TEXT } from "../../server/actions/resources/picture-text.ts";
import type { Caller, TestServer } from "../helpers/server.ts";

/** What the parameters of a path and its query are to be. */
export type Values = Readonly<Record<string, string>>;

export interface Things {
  makeSource(): Promise<number>;
  makePattern(): Promise<number>;
  /** The parameters that lead to a new thing of the account, for any path of the document. */
  valuesFor(path: string): Promise<Values>;
}

/** Makes things in a caller's account. */
export function thingsOf({ url }: TestServer, { key, token }: Caller): Things {
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

  const makeSource = async (): Promise<number> =>
    (await send("/sources/upload", { data: PICTURE_TEXT })).id;
  const makePattern = async (): Promise<number> =>
    (await send("/patterns", { source_id: await makeSource(), group: "p4" })).id;

  /** By the part of the path that ends with its parameter. */
  const makers: Readonly<Record<string, () => Promise<Values>>> = {
    "/api/v1/sources/{id}": async () => ({ id: String(await makeSource()) }),
    "/api/v1/patterns/{id}": async () => ({ id: String(await makePattern()) }),
    "/api/v1/api-keys/{id}": async () => ({
      id: String((await send("/api-keys", { name: "spare" }, token)).id),
    }),
    "/api/v1/renders/{name}": async () => {
      const link = await send(`/patterns/${await makePattern()}/render-url`, { size: 16 });
      const { pathname, searchParams } = new URL(link.url);
      return { name: pathname.split("/").at(-1) ?? "", token: searchParams.get("token") ?? "" };
    },
  };

  return {
    makeSource,
    makePattern,
    async valuesFor(path) {
      const [start] = /^.*?\}/.exec(path) ?? [];
      if (start === undefined) return {};
      const maker = makers[start];
      if (!maker) throw new Error(`nothing is known to be made for ${start}`);
      return maker();
    },
  };
}
