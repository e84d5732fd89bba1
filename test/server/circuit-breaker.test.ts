/** The circuit breaker: when calls are stopped, and how they begin again. */
import t from "tap";
import { CircuitBreaker } from "../../server/render-cache/circuit-breaker.ts";

t.test("three failures in a row stop calls, and one call at a time tries again", (t) => {
  let now = 0;
  const breaker = new CircuitBreaker(() => now);
  const allowed = () => [breaker.allows(), breaker.allows(), breaker.allows()];
  t.notOk(breaker.failed());
  t.notOk(breaker.failed());
  breaker.succeeded();
  t.notOk(breaker.failed());
  t.notOk(breaker.failed());
  t.same(allowed(), [true, true, true], "a success in between counts");
  t.ok(breaker.failed(), "this one stops them");
  t.notOk(breaker.failed(), "those in progress fail, too");
  now = 9999;
  t.same(allowed(), [false, false, false]);
  now = 10_001;
  t.same(allowed(), [true, false, false]);
  t.notOk(breaker.failed(), "they were stopped already");
  now = 20_000;
  t.same(allowed(), [false, false, false]);
  now = 20_002;
  t.same(allowed(), [true, false, false]);
  breaker.succeeded();
  t.same(allowed(), [true, true, true]);
  t.end();
});

t.test("a try that ends without a result is left to another call", (t) => {
  const breaker = new CircuitBreaker();
  for (const _ of [1, 2, 3]) breaker.failed();
  t.notOk(breaker.allows());
  breaker.cancelled();
  t.ok(breaker.allows());
  t.notOk(breaker.allows(), "the others wait for the result of that");
  breaker.succeeded();
  t.ok(breaker.allows());
  t.end();
});
