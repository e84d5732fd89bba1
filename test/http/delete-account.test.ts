/** Deleting one's own account. */
import t from "tap";
import { setPassword } from "../../server/actions/accounts.ts";
import { createMailer } from "../../server/outbound/index.ts";
import { bearer, beginSession, design, handOver } from "../helpers/guest-sessions.ts";
import { until } from "../helpers/jobs.ts";
import { startMailServer } from "../helpers/mail.ts";
import { testServer } from "../helpers/server.ts";

const password = "correct horse battery";
const PATH = "/account/delete";

t.test("requires a user session and the password", async (t) => {
  const server = await testServer(t);
  const { id } = server.account;
  const token = await server.makeToken(id, await setPassword(server.db, id, password));
  const { token: guest } = await beginSession(server);
  const ask = async (options: object) => (await server.request("POST", PATH, options)).status;
  t.equal(await ask({ json: { password } }), 401, "a key deletes nothing");
  t.equal(await ask({ as: null, json: { password } }), 401);
  t.equal(await ask(bearer(guest, { password })), 403);
  t.equal(await ask(bearer(token, { password: "another password" })), 401);
  t.equal(await ask(bearer(token, {})), 422);
  const other = await server.makeCaller({});
  t.equal(await ask(bearer(other.token, { password })), 401, "an account without a password");
  t.match(await server.db.accounts.list(), [{ id }, { id: other.account.id }]);
});

t.test("ends running exports and sessions, and disables links", async (t) => {
  const mail = await startMailServer(t);
  const mailer = createMailer({ url: mail.url, from: "orbifold@patterns.example" });
  const server = await testServer(t, { services: { mailer } });
  const { id } = server.account;
  const token = await server.makeToken(id, await setPassword(server.db, id, password));
  const pattern = await server.makePattern();
  const signed = await server.request("POST", `/patterns/${pattern}/render-url`, {
    json: { size: 32 },
  });
  const url = new URL(signed.json.url);
  const { token: guest } = await beginSession(server);
  await design(server, guest);
  const { handoff } = await handOver(server);
  const print = { width_mm: 10, height_mm: 10, dpi: 72, format: "png" };
  const ordered = await server.request("POST", `/patterns/${pattern}/export`, { json: print });
  const run = { id: ordered.json.export_id, run: 1 };
  await server.db.exports.begin(run.id);

  const deleted = await server.request("POST", PATH, bearer(token, { password }));
  t.same([deleted.status, deleted.bytes.length], [204, 0]);
  await t.rejects(server.db.exports.recordProgress(run, 50), { name: "Superseded" });
  for (const options of [{}, bearer(token), bearer(guest)]) {
    t.equal((await server.request("GET", "/patterns", options)).status, 401);
  }
  const link = await server.request("GET", url.pathname.slice(7) + url.search, { as: null });
  t.match(link.json, { status: 410, code: "gone" });
  const opened = { as: null, json: { handoff } };
  t.equal((await server.request("POST", "/embed/sessions", opened)).status, 404);
  const login = { as: null, json: { email: server.account.email, password } };
  t.equal((await server.request("POST", "/auth/login", login)).status, 401);
  t.same(await server.db.accounts.list(), []);
});

t.test("sends the owner a message", async (t) => {
  const mail = await startMailServer(t);
  const mailer = createMailer({ url: mail.url, from: "orbifold@patterns.example" });
  const server = await testServer(t, { services: { mailer }, takesJobs: true });
  const { id, email } = server.account;
  const token = await server.makeToken(id, await setPassword(server.db, id, password));
  await server.request("POST", PATH, bearer(token, { password }));
  await until(() => mail.messages.length === 1);
  t.same(mail.messages[0]?.to, [email]);
  t.match(mail.messages[0]?.text, /^Subject: Your account was deleted\r$/m);
  await until(() => server.log.some(({ status }) => status === "sent"));
  t.notMatch(JSON.stringify(server.log), email, "addresses are not logged");
});
