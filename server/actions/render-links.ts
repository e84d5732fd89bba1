/**
 * Tokens of links to renders: a JWS with the id of a pinned render and the time at which the link
 * expires, signed so that nobody can extend a link or make one up.
 */
import { errors, jwtVerify, SignJWT } from "jose";

/** The token was made here, but there is nothing behind it any more. */
export class LinkGone extends Error {
  override readonly name = "LinkGone";
}

/** The token was never made here. */
export class UnknownLink extends Error {
  override readonly name = "UnknownLink";
  constructor() {
    super("the link was never made here: its token is forged or incomplete");
  }
}

export interface RenderLinks {
  /** A token for a pinned render, of about 160 characters. */
  sign(pinnedRenderId: string, expiresAt: Date): Promise<string>;
  /** What a token stands for. Throws UnknownLink, and LinkGone after its time. */
  verify(token: string): Promise<{ readonly id: string; readonly expiresAt: Date }>;
}

const ALGORITHM = "HS256";

/** Links that are signed and verified with a secret that all nodes share. */
export function createRenderLinks(secret: Uint8Array): RenderLinks {
  return {
    sign: (id, expiresAt) =>
      new SignJWT({ render: Buffer.from(id, "hex").toString("base64url") })
        .setProtectedHeader({ alg: ALGORITHM })
        .setExpirationTime(expiresAt)
        .sign(secret),

    async verify(token) {
      const options = { algorithms: [ALGORITHM], requiredClaims: ["exp"] };
      const { payload } = await jwtVerify(token, secret, options).catch((error) => {
        if (error instanceof errors.JWTExpired) throw new LinkGone("the link has expired");
        throw error instanceof errors.JOSEError ? new UnknownLink() : error;
      });
      const { render, exp = 0 } = payload;
      if (typeof render !== "string") {
        throw new LinkGone("the link was made before links were pinned: ask for a new one");
      }
      const id = Buffer.from(render, "base64url").toString("hex");
      return { id, expiresAt: new Date(exp * 1000) };
    },
  };
}
