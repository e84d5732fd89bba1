/**
 * Addresses of renders that need no key. What may be rendered stands in a signed token (JWS), so
 * that nothing has to be kept for them.
 */
import { errors, jwtVerify, SignJWT } from "jose";
import { RenderFields } from "../../engine/index.ts";
import { inputCheck } from "./input.ts";

/** What a link leads to. The picture is that of the pattern as it is when the link is used. */
export interface LinkedRender {
  readonly accountId: number;
  readonly patternId: number;
  readonly fields: RenderFields;
}

export interface RenderLinks {
  sign(render: LinkedRender, expiresAt: Date): Promise<string>;
  /** What a token stands for; null when it is forged or has expired. Throws InvalidInput. */
  verify(token: string): Promise<LinkedRender | null>;
}

const checkFields = inputCheck(RenderFields, { fillDefaults: true });

const DEFAULTS: Readonly<Record<string, unknown>> = checkFields({});

/** The fields that are not at their defaults: links are read by people, and told by models. */
function essential(fields: RenderFields): object {
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(DEFAULTS[name]),
    ),
  );
}

const AUDIENCE = "orbifold render link";
const ALGORITHM = "HS256";

/** Links that are signed and checked with a secret that all nodes share. */
export function createRenderLinks(secret: Uint8Array): RenderLinks {
  return {
    sign: ({ accountId, patternId, fields }, expiresAt) =>
      new SignJWT({ pattern: patternId, fields: essential(fields) })
        .setProtectedHeader({ alg: ALGORITHM })
        .setAudience(AUDIENCE)
        .setSubject(String(accountId))
        .setExpirationTime(expiresAt)
        .sign(secret),
    async verify(token) {
      const options = { audience: AUDIENCE, algorithms: [ALGORITHM] };
      try {
        const { payload } = await jwtVerify<{ pattern: number; fields: object }>(
          token,
          secret,
          options,
        );
        const { sub, pattern, fields } = payload;
        return { accountId: Number(sub), patternId: pattern, fields: checkFields(fields) };
      } catch (error) {
        if (error instanceof errors.JOSEError) return null;
        throw error;
      }
    },
  };
}
