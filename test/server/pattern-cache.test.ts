/** Patterns are read from the database once a version, and not at all where they were just created. */
import t from "tap";
import { Value } from "typebox/value";
import { NotFound } from "../../server/actions/errors.ts";
import { createPatternCache } from "../../server/actions/pattern-cache.ts";
import { planRender, RenderFields } from "../../server/actions/renders.ts";
import type { Services } from "../../server/actions/services.ts";
import { toolbox } from "../mcp/toolbox.ts";

const fields = { ...Value.Create(RenderFields), size: 64 };

/** The services, and how many patterns they have read. */
function counting(services: Services) {
  let reads = 0;
  const { patterns } = services.db;
  const get: typeof patterns.get = (accountId, id) => {
    reads++;
    return patterns.get(accountId, id);
  };
  const counted = { ...services, db: { ...services.db, patterns: { ...patterns, get } } };
  return { services: counted, reads: () => reads };
}

t.test("a pattern that was just created is not read", async (t) => {
  const { services, account, makePattern, makeSource, call, stranger } = await toolbox(t);
  const id = await makePattern({ group: "p4" });
  const { services: counted, reads } = counting(services);
  const plan = (version: number | null) => planRender(counted, account.id, id, fields, version);
  const first = await plan(1);
  t.equal(reads(), 0);
  t.equal((await plan(null)).fingerprint, first.fingerprint, "what is read is the same");
  t.equal(reads(), 1, "a caller without its version reads it");

  await call("update_pattern", { pattern_id: id, group: "p6" });
  const second = await plan(2);
  t.equal(reads(), 2, "another version is read");
  t.match(second.design, { group: "p6" });
  t.equal(await plan(2), second);
  t.equal(reads(), 2, "once");

  const source_id = await makeSource();
  await call("update_pattern", { pattern_id: id, source_id });
  const source = await services.db.sources.get(account.id, source_id);
  t.equal((await plan(3)).source.sha256, source?.sha256, "with the source that it has now");

  const other = await stranger();
  await t.rejects(planRender(counted, other.account.id, id, fields, 3), NotFound);
});

t.test("a pattern that another process has changed is read again", async (t) => {
  const { services, account, makePattern, call } = await toolbox(t);
  const id = await makePattern({ group: "p4" });
  const there = { ...services, patterns: createPatternCache(2) };
  const plan = (of: Services, version: number) => planRender(of, account.id, id, fields, version);
  t.match((await plan(there, 1)).design, { group: "p4" });
  await call("update_pattern", { pattern_id: id, group: "pmm" });
  t.match((await plan(there, 2)).design, { group: "pmm" });
  t.match((await plan(services, 2)).design, { group: "pmm" });
});
