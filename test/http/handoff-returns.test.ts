/** What customers return with: signed, and without a way to forge it. */
import t from "tap";
import { verifyReturn } from "../../docs/examples/shop/verify-return.ts";
import { returnUrl } from "../../server/actions/handoff-returns.ts";
import { bearer, beginSession, design } from "../helpers/guest-sessions.ts";
import { type TestServer, testServer } from "../helpers/server.ts";

const rotate = async (server: TestServer, overlap_hours: number) =>
  (await server.request("POST", "/embed/secret", { json: { overlap_hours } })).json;

const finish = async (server: TestServer, token: string, pattern_id: number) =>
  new URL(
    (await server.request("POST", "/embed/finish", bearer(token, { pattern_id }))).json
      .redirect_url,
  );

const cancel = async (server: TestServer, token: string) =>
  new URL((await server.request("POST", "/embed/cancel", bearer(token))).json.redirect_url);

t.test("a return is signed, and the signature reveals any change of it", async (t) => {
  const server = await testServer(t);
  const { secret } = await rotate(server, 24);
  t.match(secret, /^pfhs_[\w-]{43}$/);
  const { begun, token } = await beginSession(server, {
    return_url: "https://shop.example/back?basket=7&pf_status=x&state=old",
    state: "käfer & co/1",
  });
  const { handoff_id } = begun.json;
  const { pattern } = await design(server, token);
  const { searchParams: query, ...url } = await finish(server, token, pattern);
  t.same(Object.fromEntries(query), {
    basket: "7",
    pf_pattern_id: String(pattern),
    pf_handoff: String(handoff_id),
    pf_status: "finished",
    state: "käfer & co/1",
    pf_sig: query.get("pf_sig"),
  });
  t.ok(verifyReturn(query, secret), String(url));

  const forged = (change: (query: URLSearchParams) => void) => {
    const copy = new URLSearchParams(query);
    change(copy);
    return verifyReturn(copy, secret);
  };
  const names = ["pf_pattern_id", "pf_handoff", "pf_status", "state", "pf_sig"];
  for (const name of names) {
    t.notOk(
      forged((copy) => copy.delete(name)),
      `without ${name}`,
    );
    t.notOk(
      forged((copy) => copy.set(name, "")),
      `empty ${name}`,
    );
    t.notOk(
      forged((copy) => copy.set(name, `${copy.get(name)}1`)),
      `another ${name}`,
    );
    t.notOk(
      forged((copy) => copy.append(name, copy.get(name) ?? "")),
      `${name} twice`,
    );
  }
  t.notOk(
    forged((copy) => {
      copy.delete("pf_pattern_id");
      copy.set("pf_status", "cancelled");
    }),
  );
  t.notOk(verifyReturn(query, `${secret}x`));
  t.notOk(verifyReturn(new URLSearchParams(), secret));
});

t.test("nothing is signed before the account has a secret", async (t) => {
  const server = await testServer(t);
  const { token } = await beginSession(server);
  const url = await cancel(server, token);
  t.equal(url.searchParams.get("pf_status"), "cancelled");
  t.notOk(url.searchParams.has("pf_sig"));
});

t.test("the previous secret signs for the overlap", async (t) => {
  const server = await testServer(t);
  const first = await rotate(server, 24);
  t.equal(first.previous_secret_until, null, "there is none yet");
  const second = await rotate(server, 2);
  const lasts = Date.parse(second.previous_secret_until) - Date.now();
  t.ok(Math.abs(lasts - 2 * 3_600_000) < 60_000);
  const { token } = await beginSession(server);
  t.ok(verifyReturn((await cancel(server, token)).searchParams, first.secret));
  const third = await rotate(server, 0);
  t.equal(third.previous_secret_until, null);
  t.ok(verifyReturn((await cancel(server, token)).searchParams, third.secret));
  const other = await server.makeCaller({ plan: "starter" });
  const refused = await server.request("POST", "/embed/secret", { json: {}, as: other });
  t.equal(refused.json.code, "plan_required");
});

t.test("a customer who cancelled may still finish, but not cancel after finishing", async (t) => {
  const server = await testServer(t);
  const { secret } = await rotate(server, 0);
  const { begun, token } = await beginSession(server, {
    cancel_url: "https://shop.example/mugs?pf_pattern_id=9#top",
  });
  const status = async () => {
    const path = `/embed/handoffs/${begun.json.handoff_id}`;
    return (await server.request("GET", path)).json.status;
  };
  t.equal(await status(), "open");
  const left = await cancel(server, token);
  t.equal(`${left.origin}${left.pathname}${left.hash}`, "https://shop.example/mugs#top");
  t.notOk(left.searchParams.has("pf_pattern_id"), "of a customer without a pattern");
  t.ok(verifyReturn(left.searchParams, secret));
  t.equal(await status(), "cancelled");
  const { pattern } = await design(server, token);
  const done = await finish(server, token, pattern);
  t.equal(done.searchParams.get("pf_status"), "finished");
  t.equal(await status(), "finished");
  t.equal((await cancel(server, token)).href, done.href, "the shop has the pattern");
  t.equal(await status(), "finished");
});

t.test("parameters are added to an existing query", async (t) => {
  const added = "pf_pattern_id=7&pf_handoff=3&pf_status=finished";
  const cases = {
    "https://a.example": `https://a.example/?${added}`,
    "https://a.example/p?": `https://a.example/p?${added}`,
    "https://a.example/p?a=1&b": `https://a.example/p?a=1&b&${added}`,
    "https://a.example/p?q=a+b%20c;d#top": `https://a.example/p?q=a+b%20c;d&${added}#top`,
    "https://a.example/p?pf_pattern_id=3&z=1": `https://a.example/p?z=1&${added}`,
    "https://bücher.example/ü?q=ü#ü": `https://xn--bcher-kva.example/%C3%BC?q=%C3%BC&${added}#%C3%BC`,
  };
  const handoff = { id: 3, cancel_url: null, state: null };
  for (const [return_url, expected] of Object.entries(cases)) {
    t.equal(returnUrl({ ...handoff, return_url }, 7, null), expected);
  }
  const stateful = { ...handoff, return_url: "https://a.example/?state=a+b" };
  const url = new URL(returnUrl(stateful, 7, "secret"));
  t.equal(url.searchParams.get("state"), "a b", "a state of the shop's own URL stays");
  t.ok(verifyReturn(url.searchParams, "secret"), "and is signed as the shop reads it");
});
