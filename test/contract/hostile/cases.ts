/** Requests to an operation of the document that are valid except for some mutations. */
import type { Caller } from "../../helpers/server.ts";
import { examplesOf, type Operation, type Placed, type Schema } from "../document.ts";
import type { Fixtures, Values } from "../fixtures.ts";
import { brokenBody, cheap, EDGES, EXPENSIVE, type Place, placesOf, wrongBody } from "./body.ts";
import { type Effects, withEffects } from "./effects.ts";
import { FORM_TYPE, wrongForm } from "./form.ts";
import { jsonText } from "./json-text.ts";
import { PNG } from "./pictures.ts";
import { wrongHeader, wrongPath, wrongQuery } from "./places.ts";
import { type Random, randomOf } from "./random.ts";
import type { Sent } from "./send.ts";

/** The mutated parts of a request. */
type Aim = "body" | "effects" | "broken" | "form" | "query" | "path" | "header" | "method";

/** The callers and their resources. */
export interface World {
  readonly rich: Caller;
  /** Has no credits, so that charged requests are refused before they run. */
  readonly poor: Caller;
  readonly source: number;
  readonly effects: Effects;
  readonly values: ReadonlyMap<string, Values>;
}

/** An operation and the parts of its requests. */
export interface Target extends Placed {
  readonly schema: Schema | null;
  readonly places: readonly Place[];
  readonly bases: readonly unknown[];
  readonly aims: readonly Aim[];
}

/** A request and its target. */
export interface HostileCase extends Sent {
  readonly target: Target;
  /** Whether it calls the operation itself, not another path or method. */
  readonly reachesOperation: boolean;
}

/** Describes an operation as a target; its inputs determine the possible mutations. */
export function targetOf(placed: Placed): Target {
  const { operation, path } = placed;
  const content = operation.requestBody?.content ?? {};
  const media = content["application/json"];
  const aims: Aim[] = [...Array<Aim>(6).fill("header"), "method", "query", "query"];
  if (media) aims.push(...Array<Aim>(14).fill("body"), "broken", "broken", "broken");
  if (content["multipart/form-data"]) aims.push("form", "form", "form", "form");
  if (isIn(operation, "query")) aims.push(...Array<Aim>(12).fill("query"));
  if (path.includes("{")) aims.push("path", "path", "path");
  const members = Object.keys(media?.schema.properties ?? {});
  if (members.some((name) => /^(surface_)?effects$/.test(name))) {
    aims.push(...Array<Aim>(5).fill("effects"));
  }
  if (!media) return { ...placed, schema: null, places: [], bases: [], aims };
  const { schema } = media;
  return { ...placed, schema, places: placesOf(schema), bases: examplesOf(media), aims };
}

const isIn = ({ parameters }: Operation, place: string) =>
  parameters.some((one) => one.in === place);

/** How often a target is called: in proportion to its inputs. */
export function weightOf({ operation, schema, path }: Target): number {
  // Passwords are slow by design, and so are certificates.
  if ((operation.security.length === 0 && schema) || path.endsWith("/validate")) return 1;
  return 2 + (schema ? 8 : 0) + (isIn(operation, "query") ? 4 : 0);
}

/** Creates the resources of all targets in the accounts of a new world. */
export async function worldOf(
  targets: readonly Target[],
  parts: Pick<World, "rich" | "poor" | "effects">,
  fixtures: Fixtures,
): Promise<World> {
  const values = new Map<string, Values>();
  const shared = new Map<string, Values>();
  for (const { path, method } of targets) {
    const kind = path.replace(/(\}).*/, "$1");
    // One operation must not delete what others need.
    const own = method === "DELETE" ? undefined : shared.get(kind);
    const made = own ?? (await fixtures.valuesFor(path));
    if (method !== "DELETE") shared.set(kind, made);
    values.set(`${method} ${path}`, made);
  }
  return { ...parts, source: await fixtures.makeSource(), values };
}

/** Returns the case of this number for a target. */
export function caseOf(target: Target, world: World, seed: number, index: number): HostileCase {
  const random = randomOf(seed, index);
  const aim = random.pick(target.aims);
  const { bytes, headers } = bodyOf(target, world, aim, random);
  const right = { ...credentials(target, world, random), ...addressOf(index), ...headers };
  const isOdd = aim === "header" || random.chance(0.1);
  return {
    target,
    reachesOperation: aim !== "path" && aim !== "method",
    method: aim === "method" ? random.pick(METHODS) : target.method,
    url: pathOf(target, world, aim, random) + queryOf(target, world, aim, random),
    headers: isOdd ? withHeader(right, ...wrongHeader(target.operation, random)) : right,
    body: bytes,
  };
}

/** Methods that no operation has. */
const METHODS = ["PUT", "OPTIONS", "TRACE", "PROPFIND", "NONSENSE"];

type Headers = Readonly<Record<string, string>>;

function withHeader(headers: Headers, name: string, value: string): Headers {
  const others = Object.entries(headers).filter(
    ([known]) => known.toLowerCase() !== name.toLowerCase(),
  );
  return Object.fromEntries([...others, [name, value]]);
}

/** Each request comes from another address, for limits by address. */
function addressOf(index: number): Headers {
  return {
    "X-Forwarded-For": `10.${[index >> 16, index >> 8, index].map((one) => one & 255).join(".")}`,
  };
}

/** Drawing a preset is slow, so the caller with credits seldom requests it. */
const DRAWS = "/api/v1/sources/presets";

function credentials({ path, operation }: Target, world: World, random: Random): Headers {
  const { key, token } = path === DRAWS && random.chance(0.98) ? world.poor : world.rich;
  if (operation.security.some((one) => one.apiKey)) return { "X-API-Key": key };
  return operation.security.length > 0 ? { Authorization: `Bearer ${token}` } : {};
}

/** A blank body counts as none, and then the defaults make a large picture. */
const NO_BLANK = Buffer.from("[");

function bodyOf(
  { schema, places, bases }: Target,
  { source, effects }: World,
  aim: Aim,
  random: Random,
): { bytes: Buffer | null; headers: Headers } {
  if (!schema) return { bytes: null, headers: {} };
  if (aim === "form")
    return { bytes: wrongForm(PNG, random), headers: { "Content-Type": FORM_TYPE } };
  const example = random.pick(bases) as object;
  const base = cheap({ ...example, ...("source_id" in example && { source_id: source }) }, schema);
  const makers: Partial<Record<Aim, () => unknown>> = {
    body: () => cheap(wrongBody(base, places, random), schema),
    effects: () => withEffects(base as object, schema, effects, random),
  };
  const body = makers[aim]?.() ?? base;
  const text = jsonText(body);
  const { bytes, headers } =
    aim === "broken" ? brokenBody(text, random) : { bytes: Buffer.from(text) };
  const chunked = random.chance(0.05) ? { "Transfer-Encoding": "chunked" } : {};
  return {
    bytes: bytes.length === 0 ? NO_BLANK : bytes,
    headers: { "Content-Type": "application/json", ...chunked, ...headers },
  };
}

function pathOf({ method, path }: Target, world: World, aim: Aim, random: Random): string {
  if (aim === "path") return wrongPath(path, random);
  const values = world.values.get(`${method} ${path}`) ?? {};
  return path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(values[name] ?? ""));
}

function queryOf({ method, path, operation }: Target, world: World, aim: Aim, random: Random) {
  const values = world.values.get(`${method} ${path}`) ?? {};
  const inQuery = operation.parameters.filter((one) => one.in === "query");
  const wrong = random.pick([...inQuery.map(({ name }) => name), "unknown"]);
  const parts = inQuery
    .filter(({ name, required }) => required && (aim !== "query" || name !== wrong))
    .map(({ name }) => `${name}=${values[name]}`);
  if (aim === "query") parts.push(wrongQuery(wrong, random));
  const query = withSmallEdges(
    parts.join("&"),
    inQuery.map(({ name }) => name),
  );
  return query === "" ? "" : `?${query}`;
}

/** Replaces picture sides in the query by small or invalid ones. */
function withSmallEdges(query: string, names: readonly string[]): string {
  if (!names.includes("size")) return query;
  const edges = EDGES.flatMap((name) => new URLSearchParams(query).getAll(name));
  if (edges.some((edge) => Number(edge) > EXPENSIVE)) return "size=16&mode=surface";
  return new URLSearchParams(query).has("size") ? query : `size=16&${query}`;
}
