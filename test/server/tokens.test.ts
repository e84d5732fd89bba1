import { once } from "node:events";
import { createServer } from "node:http";
import {
  exportJWK,
  exportSPKI,
  generateKeyPair,
  type JWTPayload,
  SignJWT,
  UnsecuredJWT,
} from "jose";
import t, { type Test } from "tap";
import { createTokens, OutsideIssuer, USER_SESSION_TOKENS } from "../../server/actions/tokens.ts";
import { testDatabase } from "../helpers/database.ts";
import { portOf } from "../helpers/port-of.ts";

const secret = "a secret of at least 32 characters";
const ours = { kind: "secret", secret } as const;
const none = () => Promise.reject(new Error("no secret is kept for this"));
const key = new TextEncoder().encode(secret);

const claims = { iss: "orbifold", aud: "orbifold", sub: "7", ver: 3 };
const inAnHour = () => Math.floor(Date.now() / 1000) + 3600;
const sign = (payload: JWTPayload, by = key, alg = "HS256") =>
  new SignJWT(payload).setProtectedHeader({ alg }).sign(by);

t.test("a token identifies its account for twelve hours", async (t) => {
  const tokens = await createTokens(ours, none);
  const { token, expiresAt } = await tokens.sign(7, 3);
  t.same(await tokens.verify(token), { accountId: 7, version: 3 });
  const payload = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
  t.equal(payload.exp - payload.iat, 12 * 3600);
  t.equal(expiresAt.getTime(), payload.exp * 1000);
});

t.test("rejects tokens that are forged, expired or for another audience", async (t) => {
  const { verify } = await createTokens(ours, none);
  const valid = { ...claims, exp: inAnHour() };
  t.same(await verify(await sign(valid)), { accountId: 7, version: 3 }, "the control");
  const refused = {
    "another secret": await sign(valid, new TextEncoder().encode("x".repeat(32))),
    expired: await sign({ ...valid, exp: inAnHour() - 7200 }),
    "another issuer": await sign({ ...valid, iss: "other" }),
    "another audience": await sign({ ...valid, aud: "other" }),
    "another algorithm": await sign(valid, key, "HS512"),
    "no signature": new UnsecuredJWT(valid).encode(),
    "no subject": await sign({ iss: "orbifold", aud: "orbifold", ver: 3, exp: inAnHour() }),
    "no version": await sign({ iss: "orbifold", aud: "orbifold", sub: "7", exp: inAnHour() }),
    "a version that is no number": await sign({ ...valid, ver: "3" }),
    "a subject that is no number": await sign({ ...valid, sub: "7e0" }),
    "a changed payload": (await sign(valid)).replace(/\.[^.]+\./, (part) => part.toLowerCase()),
    "no token": "pf_something",
    nothing: "",
  };
  for (const [what, token] of Object.entries(refused)) t.equal(await verify(token), null, what);
});

t.test("nodes without a configured secret share the stored one", async (t) => {
  const kept = await testDatabase(t);
  const onNode = () =>
    createTokens({ kind: "secret", secret: null }, () => kept.secrets.get(USER_SESSION_TOKENS));
  const [maker, checker] = [await onNode(), await onNode()];
  t.same(await checker.verify((await maker.sign(3, 1)).token), { accountId: 3, version: 1 });
});

/** An issuer with a key set on a real socket. */
async function startIssuer(t: Test) {
  const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
  const keys = [{ ...(await exportJWK(publicKey)), alg: "ES256", kid: "one" }];
  let status = 200;
  const server = createServer((_, response) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify({ keys }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.teardown(() => server.close());
  const port = portOf(server);
  return {
    publicKey,
    fail: () => {
      status = 500;
    },
    sign: (payload: JWTPayload) =>
      new SignJWT(payload).setProtectedHeader({ alg: "ES256", kid: "one" }).sign(privateKey),
    trust: {
      kind: "issuer",
      jwksUrl: `http://127.0.0.1:${port}/keys`,
      issuer: "https://id.example",
      audience: "patterns",
    } as const,
  };
}

const theirs = { iss: "https://id.example", aud: "patterns" };

t.test("accepts tokens of an external issuer, and then issues none", async (t) => {
  const issuer = await startIssuer(t);
  const tokens = await createTokens(issuer.trust, none);
  const verify = async (payload: JWTPayload) =>
    tokens.verify(await issuer.sign({ exp: inAnHour(), ...theirs, ...payload }));
  const account_id = 12;
  t.same(await verify({ sub: "auth0|5f", account_id }), { accountId: 12, version: null });
  t.same(await verify({ account_id: "12" }), { accountId: 12, version: null });
  t.equal(await verify({ sub: "12" }), null, "the issuer's own number is none of ours");
  t.equal(await verify({ account_id, aud: "other" }), null);
  t.equal(await verify({ account_id, iss: "https://other.example" }), null);
  t.equal(await verify({ account_id, exp: inAnHour() - 7200 }), null);
  const endless = await issuer.sign({ ...theirs, account_id });
  t.equal(await tokens.verify(endless), null, "a token has to end");
  await t.rejects(tokens.sign(12, 0), OutsideIssuer);
});

t.test("an issuer's public key cannot be used as an HMAC secret", async (t) => {
  const issuer = await startIssuer(t);
  const tokens = await createTokens(issuer.trust, none);
  const published = new TextEncoder().encode(await exportSPKI(issuer.publicKey));
  const forged = await sign({ ...theirs, account_id: 12, exp: inAnHour() }, published);
  t.equal(await tokens.verify(forged), null);
});

t.test("failing to fetch keys is an internal error, not an invalid token", async (t) => {
  const issuer = await startIssuer(t);
  issuer.fail();
  const tokens = await createTokens(issuer.trust, none);
  await t.rejects(tokens.verify(await issuer.sign({ ...theirs, account_id: 12, exp: inAnHour() })));
});
