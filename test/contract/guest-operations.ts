/** Operations that only the customer of a shop may call: their responses to a guest, and to others. */
import type { Test } from "tap";
import type { Placed } from "./document.ts";
import { type ContractRequest, type ContractRun, expectResponse } from "./send-request.ts";

type Expect = (t: Test, run: ContractRun, placed: Placed) => Promise<void>;

const expectFinish: Expect = async (t, run, placed) => {
  const { token, pattern } = await run.fixtures.makeGuest();
  const as = { ...run.callers.own, token };
  const answer = (status: number, request: Partial<ContractRequest>) =>
    expectResponse(t, run, placed, status, {
      as,
      values: {},
      body: { pattern_id: pattern },
      ...request,
    });
  await answer(401, { as: null });
  await answer(401, { as: run.callers.own });
  await answer(404, { body: { pattern_id: await run.fixtures.makePattern() } });
  await answer(422, { body: { pattern_id: pattern, unknown: 1 } });
  await answer(400, { text: "{" });
  await answer(415, { headers: { "Content-Type": "text/plain" } });
  await answer(200, {});
};

const expectCancel: Expect = async (t, run, placed) => {
  const { token } = await run.fixtures.makeGuest();
  const request = { as: { ...run.callers.own, token }, values: {} };
  await expectResponse(t, run, placed, 401, { ...request, as: null });
  await expectResponse(t, run, placed, 401, { ...request, as: run.callers.own });
  await expectResponse(t, run, placed, 200, request);
};

/** By path. */
export const GUEST_OPERATIONS: Readonly<Record<string, Expect>> = {
  "/api/v1/embed/finish": expectFinish,
  "/api/v1/embed/cancel": expectCancel,
};
