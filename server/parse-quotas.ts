/** The variable QUOTAS: overrides of the default quotas. */
import { readFileSync } from "node:fs";
import Type from "typebox";
import { DEFAULT_QUOTAS, QUOTAS, type Quotas } from "../db/index.ts";
import { strict } from "./actions/fields.ts";
import { inputCheck } from "./actions/input.ts";

const Limit = Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }));
const Limits = Type.Object(Object.fromEntries(QUOTAS.map((name) => [name, Limit])), strict);
const Table = Type.Object(
  Object.fromEntries(Object.keys(DEFAULT_QUOTAS).map((plan) => [plan, Type.Optional(Limits)])),
  strict,
);
const check = inputCheck(Table, { fillDefaults: false });

function readJson(given: string): unknown {
  try {
    return JSON.parse(given.startsWith("{") ? given : readFileSync(given, "utf8"));
  } catch (error) {
    const reason = (error as Error).message;
    throw new Error(`expected JSON or the path of a file with it: ${reason}`, { cause: error });
  }
}

/**
 * Returns the default quotas with the overrides of a JSON text, `{"trial": {"patterns": 500}}`, or
 * of a file with such JSON. Throws if it is neither, and for an unknown plan or quota.
 */
export function parseQuotas(given: string): Quotas {
  const changes = check(readJson(given));
  const plans = Object.entries(DEFAULT_QUOTAS);
  return Object.fromEntries(
    plans.map(([plan, limits]) => [plan, { ...limits, ...changes[plan] }]),
  ) as Quotas;
}
