/** The variables QUOTAS and RETENTION: JSON that overrides defaults. */
import { readFileSync } from "node:fs";
import Type from "typebox";
import {
  DEFAULT_QUOTAS,
  DEFAULT_RETENTION,
  QUOTAS,
  type Quotas,
  RETENTIONS,
  type Retention,
} from "../db/index.ts";
import { strict } from "./actions/fields.ts";
import { inputCheck } from "./actions/input.ts";

const Limit = Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }));
const Limits = Type.Object(Object.fromEntries(QUOTAS.map((name) => [name, Limit])), strict);
const Table = Type.Object(
  Object.fromEntries(Object.keys(DEFAULT_QUOTAS).map((plan) => [plan, Type.Optional(Limits)])),
  strict,
);
const checkQuotas = inputCheck(Table, { fillDefaults: false });

/** Customers may return for two days after a handoff is created. */
const LEAST_DAYS = { exports: 1, batches: 1, deliveries: 1, events: 1, handoffs: 3 };
const days = (minimum: number) => Type.Optional(Type.Integer({ minimum, maximum: 36_500 }));
const checkRetention = inputCheck(
  Type.Object(Object.fromEntries(RETENTIONS.map((name) => [name, days(LEAST_DAYS[name])])), strict),
  { fillDefaults: false },
);

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
  const changes = checkQuotas(readJson(given));
  const plans = Object.entries(DEFAULT_QUOTAS);
  return Object.fromEntries(
    plans.map(([plan, limits]) => [plan, { ...limits, ...changes[plan] }]),
  ) as Quotas;
}

/**
 * Returns the default retention with the overrides of a JSON text, `{"deliveries": 90}`, or of a file
 * with such JSON. Throws if it is neither, and for an unknown name.
 */
export const parseRetention = (given: string): Retention => ({
  ...DEFAULT_RETENTION,
  ...checkRetention(readJson(given)),
});
