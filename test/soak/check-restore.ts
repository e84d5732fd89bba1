/** A service on a restored database. */
import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Test } from "tap";
import { answer, type Environment, orbifold } from "../helpers/command-line.ts";
import { until } from "../helpers/jobs.ts";
import { photograph, pngOf } from "../helpers/pictures.ts";
import { startService } from "../helpers/service.ts";
import { isServiceSigned, receiver } from "../helpers/webhooks.ts";

interface Copies {
  /** Between two writes, in milliseconds: a copy takes longer. */
  readonly pauseMs: number;
  /** Copies the database while the service writes. */
  backUp(): Promise<void>;
  /** Makes a database of the copy, and returns the environment of a service on it. */
  restore(): Promise<Environment>;
}

const sha256Of = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** Starts a service, and returns its API for one key. */
async function serve(t: Test, env: Environment, key: string) {
  const service = await startService(t, { ...env, OUTBOUND_ALLOW: "127.0.0.1/32" });
  const api = `${await service.url()}/api/v1`;
  const request = (method: string, path: string, body?: object) =>
    fetch(`${api}/${path}`, {
      method,
      headers: {
        "X-API-Key": key,
        ...(!(body instanceof FormData) && { "Content-Type": "application/json" }),
      },
      ...(body && { body: body instanceof FormData ? body : JSON.stringify(body) }),
    });
  const succeed: typeof request = async (...args) => {
    const response = await request(...args);
    if (!response.ok) throw new Error(`${args[1]}: ${await response.text()}`);
    return response;
  };
  return {
    json: async (...args: Parameters<typeof request>) => (await succeed(...args)).json(),
    sha256: async (...args: Parameters<typeof request>) =>
      sha256Of(await (await succeed(...args)).bytes()),
    statusFor: async (headers: Record<string, string>) =>
      (await fetch(`${api}/account`, { headers })).status,
    stop: async () => {
      service.process.kill("SIGTERM");
      t.equal(await service.ended, 0);
    },
  };
}

const SHEET = { width_mm: 60, height_mm: 40, cell_mm: 20, dpi: 100, format: "png" } as const;

/**
 * Copies the database of a service while it writes, and checks a service on the copy: it has what was acknowledged
 * before, with the same bytes, delivers webhooks, and gives no id that was given after the copy.
 */
export async function checkRestore(
  t: Test,
  env: Environment,
  { pauseMs, backUp, restore }: Copies,
): Promise<void> {
  t.equal((await orbifold(env, "migrate")).code, 0);
  const createAccount = async (environment: Environment, email: string) => {
    // Patterns are made for as long as a copy takes.
    const options = ["--email", email, "--plan", "agency", "--credits", "100000"];
    const { id } = await answer(t, environment, "accounts", "create", ...options);
    return `${id}`;
  };
  const createKey = (account: string) =>
    answer(t, env, "keys", "create", "--account", account, "--name", "one");
  const account = await createAccount(env, "ada@example.org");
  const { secret: key } = await createKey(account);
  const first = await serve(t, env, key);
  const target = await receiver(t);
  const subscription = { url: target.url, events: ["pattern.created"] };
  const { secret } = await first.json("POST", "webhooks", subscription);
  const photo = Buffer.from(pngOf(photograph(300, 200)));
  const form = new FormData();
  form.set("file", new Blob([photo]), "photo.png");
  const source = await first.json("POST", "sources/upload", form);
  const create = (service: typeof first, name: string) =>
    service.json("POST", "patterns", { source_id: source.id, group: "p4g", name });
  const pattern = await create(first, "known");
  const render = [`patterns/${pattern.id}/render`, { size: 256 }] as const;
  const picture = await first.sha256("POST", ...render);
  const ordered = await first.json("POST", `patterns/${pattern.id}/export`, SHEET);
  const job = `exports/${ordered.export_id}`;
  // The rate limit counts each question.
  do await delay(200);
  while ((await first.json("GET", job)).status !== "done");
  const sheet = await first.sha256("GET", `${job}/file`);

  const acknowledged: string[] = [];
  const ids = new Set<number>([pattern.id]);
  const writing = new AbortController();
  const writer = async () => {
    while (!writing.signal.aborted) {
      const name = `written ${acknowledged.length} ${Math.random()}`;
      ids.add((await create(first, name)).id);
      acknowledged.push(name);
      await delay(pauseMs);
    }
  };
  const copy = async () => {
    try {
      await until(() => acknowledged.length > 10);
      const before = acknowledged.length;
      await backUp();
      return before;
    } finally {
      writing.abort();
    }
  };
  const [before] = await Promise.all([copy(), writer()]);
  const during = acknowledged.length;
  t.ok(during > before, `${during - before} patterns were created while it was copied`);
  ids.add((await create(first, "after the backup")).id);
  const preset = { preset: "terrazzo", seed: 7 };
  const lostSource = await first.json("POST", "sources/presets", preset);
  const { secret: lostKey } = await createKey(account);
  const lostAccount = await createAccount(env, "later@example.org");
  const { token } = await answer(t, env, "token", "--account", lostAccount);
  const lostToken = { Authorization: `Bearer ${token}` };
  t.equal(await first.statusFor(lostToken), 200);
  await first.stop();

  const restored = await restore();
  const second = await serve(t, restored, key);
  t.equal(await second.sha256("POST", ...render), picture);
  t.equal(await second.sha256("GET", `${job}/file`), sheet);
  t.equal(await second.sha256("GET", `sources/${source.id}/image`), sha256Of(photo));
  t.equal(await second.statusFor({ "X-API-Key": lostKey }), 401, "a later key is unknown");
  const names = new Set<string>();
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page: { data: { name: string }[]; next_cursor: string | null } = await second.json(
      "GET",
      `patterns?limit=100${cursor && `&cursor=${cursor}`}`,
    );
    for (const { name } of page.data) names.add(name);
    cursor = page.next_cursor;
  }
  const wanted = acknowledged.slice(0, before);
  t.same(
    wanted.filter((name) => !names.has(name)),
    [],
    "what was acknowledged before is there",
  );
  t.notOk(names.has("after the backup"), "not what came later");

  const later = await create(second, "new");
  t.notOk(ids.has(later.id), "no id of a pattern is given again");
  t.not((await second.json("POST", "sources/presets", preset)).id, lostSource.id);
  t.not(await createAccount(restored, "other@example.org"), lostAccount);
  t.equal(await second.statusFor(lostToken), 401, "a lost account's token opens no other account");
  const isLater = ({ json }: (typeof target.received)[number]) => json.data.pattern_id === later.id;
  await until(() => target.received.some(isLater));
  const delivered = target.received.find(isLater);
  t.ok(delivered && (await isServiceSigned(delivered, secret)), "webhooks are delivered");
  await second.stop();
}
