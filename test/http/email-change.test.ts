/** Changes of an account's e-mail address, with and without mail. */
import t, { type Test } from "tap";
import { createMailer } from "../../server/outbound/index.ts";
import { bearer, open } from "../helpers/guest-sessions.ts";
import { until } from "../helpers/jobs.ts";
import { startMailServer } from "../helpers/mail.ts";
import { type TestServer, testServer } from "../helpers/server.ts";

const ada = { email: "ada@example.com", password: "correct horse battery" };
const { password } = ada;
const NEW = "ada@patterns.example";

const post = (server: TestServer, path: string, token: string, json: object) =>
  server.request("POST", `/auth/${path}`, bearer(token, json));

const logIn = async (server: TestServer, email: string) =>
  (await server.request("POST", "/auth/login", { ...open, json: { email, password } })).status;

const account = async (server: TestServer, token: string) =>
  (await server.request("GET", "/account", bearer(token))).json;

async function signedUp(server: TestServer): Promise<string> {
  return (await server.request("POST", "/auth/signup", { ...open, json: ada })).json.token;
}

async function withMail(t: Test) {
  const mail = await startMailServer(t);
  const mailer = createMailer({ url: mail.url, from: "orbifold@patterns.example" });
  const server = await testServer(t, { services: { mailer }, takesJobs: true });
  const token = await signedUp(server);
  await mail.tokenOf(0);
  return { mail, server, token };
}

t.test("without mail the password is enough", async (t) => {
  const server = await testServer(t);
  const token = await signedUp(server);
  const change = (email: string, given = password) =>
    post(server, "email", token, { email, password: given });
  t.equal((await change(NEW, "another password")).status, 401);
  t.match((await change("ada")).json, { status: 422, errors: [{ path: "/email" }] });
  t.match((await change(ada.email)).json, { status: 422, errors: [{ path: "/email" }] });
  const taken = await change(server.account.email.toUpperCase());
  t.match(taken.json, { status: 409, code: "conflict" });
  t.match(await account(server, token), { email: ada.email });
  t.equal(
    (await server.request("POST", "/auth/email", { json: { email: NEW, password } })).status,
    401,
  );

  t.equal((await change(NEW)).status, 204);
  t.match(
    await account(server, token),
    { email: NEW, email_verified: false },
    "the session goes on",
  );
  t.same([await logIn(server, ada.email), await logIn(server, NEW)], [401, 200]);
  t.equal((await change("Ada@Patterns.example")).status, 204, "the same one in other letters");
  t.match(await account(server, token), { email: "Ada@Patterns.example" });
  const confirmation = await post(server, "email/confirm", token, { token: "x" });
  t.match(confirmation.json, { status: 404, detail: /sends no mail/ });
});

t.test("with mail the new address confirms, and the old one gets a message", async (t) => {
  const { mail, server, token } = await withMail(t);
  const reset = { ...open, json: { email: ada.email } };
  await server.request("POST", "/auth/password-reset", reset);
  const resetLink = await mail.tokenOf(1);
  t.equal((await post(server, "email", token, { email: NEW, password })).status, 202);
  const link = await mail.tokenOf(2);
  t.same(mail.messages[2]?.to, [NEW]);
  const text = mail.messages[2]?.text.replaceAll("=\r\n", "");
  t.match(text, `${server.url}/confirm-email#${link}`);
  t.match(await account(server, token), { email: ada.email, credits: 0 }, "nothing changes yet");
  t.equal(await logIn(server, NEW), 401);

  const confirm = (whose: string) => post(server, "email/confirm", whose, { token: link });
  t.equal(
    (await server.request("POST", "/auth/email/confirm", { ...open, json: { token: link } }))
      .status,
    401,
  );
  t.equal((await confirm(server.token)).status, 404, "a stranger's session");
  t.equal((await post(server, "verify-email", token, { token: link })).status, 404);
  t.equal((await confirm(token)).status, 204);
  const after = { email: NEW, email_verified: true, credits: 100 };
  t.match(await account(server, token), after, "a new account gets its credits");
  t.same([await logIn(server, ada.email), await logIn(server, NEW)], [401, 200]);
  t.equal((await confirm(token)).status, 404, "it works once");

  await until(() => mail.messages.length === 4);
  t.same(mail.messages[3]?.to, [ada.email]);
  t.match(mail.messages[3]?.text, /^Subject: Your e-mail address was changed\r$/m);
  // The number of a message may end like the address.
  t.notMatch(mail.messages[3]?.text.replace(/^Message-ID:.*$/im, ""), NEW);
  const old = { ...open, json: { token: resetLink, password: "set by the old address" } };
  const refused = await server.request("POST", "/auth/password-reset/confirm", old);
  t.equal(refused.status, 404, "links that the old address got are void");
});

t.test("rejects an address that another account has taken meanwhile", async (t) => {
  const { mail, server, token } = await withMail(t);
  await post(server, "email", token, { email: NEW, password });
  const link = await mail.tokenOf(1);
  const signup = { ...open, json: { email: NEW.toUpperCase(), password } };
  await server.request("POST", "/auth/signup", signup);
  const late = await post(server, "email/confirm", token, { token: link });
  t.match(late.json, { status: 409, code: "conflict" });
  t.match(await account(server, token), { email: ada.email });
  const again = await post(server, "email", token, { email: NEW, password });
  t.equal(again.status, 409);
});

t.test("sends at most five links an hour", async (t) => {
  const { server, token } = await withMail(t);
  const statuses: number[] = [];
  for (let count = 0; count < 6; count++) {
    const email = `${count}@patterns.example`;
    statuses.push((await post(server, "email", token, { email, password })).status);
  }
  t.same(statuses, [202, 202, 202, 202, 202, 429]);
});
