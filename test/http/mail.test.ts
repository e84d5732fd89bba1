/** Verification of addresses and password resets by mail, through a real mail server. */
import { createHash } from "node:crypto";
import t, { type Test } from "tap";
import { setPassword } from "../../server/actions/accounts.ts";
import { createMailer } from "../../server/outbound/index.ts";
import { until } from "../helpers/jobs.ts";
import { startMailServer } from "../helpers/mail.ts";
import { type TestServer, testServer } from "../helpers/server.ts";

const open = { as: null } as const;
const ada = { email: "Ada@Example.com", password: "correct horse battery" };
const bearer = (token: string) => ({ ...open, headers: { Authorization: `Bearer ${token}` } });

async function withMail(t: Test, takesJobs = true) {
  const mail = await startMailServer(t);
  const mailer = createMailer({ url: mail.url, from: "orbifold@patterns.example" });
  const server = await testServer(t, { services: { mailer }, takesJobs, trustedProxies: 1 });
  return { mail, server };
}

const post = (server: TestServer, path: string, json: object) =>
  server.request("POST", `/auth/${path}`, { ...open, json });

t.test("verifying the address grants trial credits once", async (t) => {
  const { mail, server } = await withMail(t);
  const { token: session } = (await post(server, "signup", ada)).json;
  const account = async () => (await server.request("GET", "/account", bearer(session))).json;
  t.match(await account(), { credits: 0, email_verified: false });
  const preset = { ...bearer(session), json: { preset: "stripes" } };
  t.equal((await server.request("POST", "/sources/presets", preset)).status, 402);

  const token = await mail.tokenOf(0);
  t.match(mail.messages[0]?.to, [/^ada@example\.com$/i]);
  t.match(mail.messages[0]?.text, /^Subject: Verify your e-mail address\r$/m);
  t.match(mail.messages[0]?.text, /^Content-Type: text\/plain/m);
  t.match(mail.messages[0]?.text.replaceAll("=\r\n", ""), `${server.url}/verify-email#${token}`);
  const verify = () => post(server, "verify-email", { token });
  const attempts = await Promise.all(Array.from({ length: 8 }, verify));
  t.same(attempts.map(({ status }) => status).toSorted(), [204, ...Array(7).fill(404)]);
  t.match(await account(), { credits: 100, email_verified: true });
  const { data } = (await server.request("GET", "/account/credits", bearer(session))).json;
  t.match(data, [{ amount: 100, reason: "email_verified", balance_after: 100 }]);
  t.match((await verify()).json, { code: "not_found", detail: /used already/ });
  t.equal((await post(server, "verify-email", { token: "unknown" })).status, 404);
});

t.test("another link may be requested a few times an hour", async (t) => {
  const { mail, server } = await withMail(t);
  const { token: session } = (await post(server, "signup", ada)).json;
  const resend = () => server.request("POST", "/auth/verify-email/resend", bearer(session));
  const statuses: number[] = [];
  for (let count = 0; count < 6; count++) statuses.push((await resend()).status);
  t.same(statuses, [202, 202, 202, 202, 202, 429]);
  const [first, last] = [await mail.tokenOf(0), await mail.tokenOf(5)];
  t.not(first, last);
  t.equal((await post(server, "verify-email", { token: first })).status, 204);
  t.equal((await post(server, "verify-email", { token: last })).status, 404, "one use for all");
});

t.test("resetting the password by mail ends all sessions", async (t) => {
  const { mail, server } = await withMail(t);
  const made = (await post(server, "signup", ada)).json;
  await post(server, "verify-email", { token: await mail.tokenOf(0) });
  const key = await server.request("POST", "/api-keys", {
    ...bearer(made.token),
    json: { name: "shop" },
  });
  const asked = await post(server, "password-reset", { email: "ada@EXAMPLE.com" });
  t.same([asked.status, asked.bytes.length], [202, 0]);
  const token = await mail.tokenOf(1);
  t.match(mail.messages[1]?.text.replaceAll("=\r\n", ""), `${server.url}/reset-password#${token}`);
  const verify = await post(server, "verify-email", { token });
  t.equal(verify.status, 404, "a token is for one purpose");
  const short = await post(server, "password-reset/confirm", { token, password: "short" });
  t.match(short.json, { status: 422, errors: [{ path: "/password" }] });

  const password = "a password that was set by mail";
  const reset = await post(server, "password-reset/confirm", { token, password });
  t.equal(reset.status, 200);
  const status = async (as: string) => (await server.request("GET", "/account", bearer(as))).status;
  t.same(
    [await status(made.token), await status(reset.json.token), await status(key.json.secret)],
    [401, 200, 200],
  );
  t.equal((await post(server, "login", ada)).status, 401);
  t.equal((await post(server, "login", { ...ada, password })).status, 200);
  t.equal((await post(server, "password-reset/confirm", { token, password })).status, 404);
  t.equal((await server.request("GET", "/account", bearer(reset.json.token))).json.credits, 100);
});

t.test("resetting the password of an unverified account revokes its keys", async (t) => {
  const { mail, server } = await withMail(t);
  const squatter = (await post(server, "signup", ada)).json;
  const key = await server.request("POST", "/api-keys", {
    ...bearer(squatter.token),
    json: { name: "squatter" },
  });
  await post(server, "password-reset", { email: ada.email });
  await mail.tokenOf(1);
  const [reset] = mail.messages.filter(({ text }) => text.includes("/reset-password"));
  const [, token] = /#([\w-]{43})/.exec(reset?.text.replaceAll("=\r\n", "") ?? "") ?? [];
  const mine = await post(server, "password-reset/confirm", { token, password: "mine by mail" });
  t.equal(mine.status, 200);
  for (const lost of [squatter.token, key.json.secret]) {
    t.equal((await server.request("GET", "/account", bearer(lost))).status, 401);
  }
  const { json } = await server.request("GET", "/account", bearer(mine.json.token));
  t.match(json, { email_verified: true, credits: 100, usage: { api_keys: 0 } });
});

t.test("an account created without verification keeps its keys after a reset", async (t) => {
  const { server } = await withMail(t, false);
  const { id } = server.account;
  const store = (token: string) =>
    server.db.mailTokens.store(
      "reset_password",
      id,
      createHash("sha256").update(token).digest(),
      60,
    );
  const confirm = (token: string) =>
    post(server, "password-reset/confirm", { token, password: "set by mail" });
  await store("first");
  t.equal((await confirm("first")).status, 200);
  t.equal((await server.request("GET", "/account")).status, 200, "the key still works");
  await store("second");
  await setPassword(server.db, id, "set by the operator");
  t.equal((await confirm("second")).status, 404, "another password makes links void");
});

t.test("a reset request does not reveal whether the address has an account", async (t) => {
  const { mail, server } = await withMail(t);
  await post(server, "signup", ada);
  await mail.tokenOf(0);
  const ask = async (email: string) => {
    const { status, bytes, headers } = await post(server, "password-reset", { email });
    return [status, bytes.length, headers.get("Content-Type")];
  };
  t.same(await ask("eve@example.com"), await ask(ada.email));
  const statuses: number[] = [];
  for (let count = 0; count < 5; count++) {
    statuses.push(...[(await ask("eve@example.com"))[0], (await ask(ada.email))[0]].map(Number));
  }
  t.same(statuses, [...Array(8).fill(202), 429, 429], "limited alike");
  await mail.tokenOf(5);
  t.ok(
    mail.messages.every(({ to }) => to[0]?.toLowerCase() === "ada@example.com"),
    "eve is sent nothing",
  );
});

t.test("rejects an expired link", async (t) => {
  const { server } = await withMail(t, false);
  const { mailTokens } = server.db;
  const store = (token: string, seconds: number) =>
    mailTokens.store(
      "verify_email",
      server.account.id,
      createHash("sha256").update(token).digest(),
      seconds,
    );
  await store("lasting", 60);
  await store("expired", 0);
  t.equal((await post(server, "verify-email", { token: "expired" })).status, 404);
  t.equal((await post(server, "verify-email", { token: "lasting" })).status, 204);
  const { json } = await server.request("GET", "/account");
  t.equal(json.credits, server.account.credits, "nothing was pending");
});

t.test("retries temporary errors of the mail server, but not permanent ones", async (t) => {
  const { mail, server } = await withMail(t);
  mail.refuse(421);
  await post(server, "signup", ada);
  await until(async () => mail.refusals() > 0);
  mail.refuse(null);
  t.equal((await post(server, "verify-email", { token: await mail.tokenOf(0) })).status, 204);
  mail.refuse(550);
  await post(server, "password-reset", { email: ada.email });
  await until(async () => server.log.some(({ status }) => status === "refused"));
  const written = JSON.stringify(server.log);
  t.notMatch(written, /#[\w-]{43}/, "no token is logged");
});

t.test("mail routes report that there is no mail server", async (t) => {
  const server = await testServer(t);
  for (const [path, json] of [
    ["verify-email", { token: "x" }],
    ["password-reset", { email: ada.email }],
    ["password-reset/confirm", { token: "x", password: ada.password }],
  ] as const) {
    t.match((await post(server, path, json)).json, { status: 404, detail: /sends no mail/ }, path);
  }
  const resend = await server.request("POST", "/auth/verify-email/resend", bearer(server.token));
  t.equal(resend.status, 404);
});

t.test("sends mail to one address, whatever characters it has", async (t) => {
  const { mail, server } = await withMail(t);
  const outcomes = () =>
    server.log.flatMap(({ job, status }) => (job === "send_mail" && status ? [status] : []));
  for (const [place, email] of ["eve,ada@example.com", "eve,ada<x>@example.com"].entries()) {
    t.equal((await post(server, "signup", { ...ada, email })).status, 201);
    await until(async () => outcomes().length > place);
  }
  t.same(outcomes(), ["sent", "refused"], "the mail server refuses the second one's syntax");
  t.same(
    mail.messages.map(({ to }) => to),
    [['"eve,ada"@example.com']],
    "a comma and brackets name no other recipients",
  );
});
