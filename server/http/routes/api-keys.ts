import Type from "typebox";
import {
  ApiKey,
  ApiKeyFields,
  createApiKey,
  NewApiKey,
  toApiKeyResponse,
} from "../../actions/api-keys.ts";
import { NotFound } from "../../actions/errors.ts";
import { Id, strict } from "../../actions/fields.ts";
import { route } from "../route.ts";

const tag = "API keys";
const path = "/api/v1/api-keys";

/** API keys, managed by users. */
export const apiKeyRoutes = [
  route({
    method: "POST",
    path,
    tag,
    operationId: "createApiKey",
    summary: "Create an API key",
    description: "The response is the only one that contains the secret: it is not stored.",
    auth: "jwt",
    programmatic: true,
    isIdempotent: true,
    body: ApiKeyFields,
    examples: {
      "A key for a shop": { name: "shop" },
      "A key for a print provider": { name: "printer", scopes: ["read"] },
    },
    responses: {
      201: {
        description: "The key with its secret.",
        schema: NewApiKey,
        headers: { Location: "URL of the key; DELETE revokes it." },
      },
    },
    problems: ["quota_exceeded"],
    cost: 0,
    async handler({ services, account, body }) {
      const { key, secret } = await createApiKey(services.db, account.id, body.name, body.scopes);
      const headers = { Location: `${services.publicUrl}${path}/${key.id}` };
      return { status: 201, headers, json: { ...toApiKeyResponse(key), secret } };
    },
  }),
  route({
    method: "GET",
    path,
    tag,
    operationId: "listApiKeys",
    summary: "List your API keys",
    auth: "jwt",
    responses: {
      200: {
        description: "The active keys.",
        schema: Type.Object({ data: Type.Array(ApiKey) }, strict),
      },
    },
    cost: 0,
    async handler({ services, account }) {
      const keys = await services.db.apiKeys.list(account.id);
      return { status: 200, json: { data: keys.map(toApiKeyResponse) } };
    },
  }),
  route({
    method: "DELETE",
    path: `${path}/{id}`,
    tag,
    operationId: "revokeApiKey",
    summary: "Revoke an API key",
    auth: "jwt",
    params: Type.Object({ id: Id }, strict),
    responses: { 204: { description: "The key is revoked." } },
    cost: 0,
    async handler({ services, account, params }) {
      const revoked = await services.db.apiKeys.revoke(account.id, params.id);
      if (!revoked) throw new NotFound(`API key ${params.id}`);
      return { status: 204 };
    },
  }),
];
