/** The maps of products, as they are needed. */
import { type MockupMap, openMap, unpackMap } from "../../engine/mockup-core.ts";
import { fetchBytes } from "./fetch-bytes.ts";
import type { MapAccess, MockupOrder } from "./protocol.ts";
import { failureOf, WorkerError } from "./worker-error.ts";

/** Side of the maps that are all kept: those of the pictures to choose from. */
const SMALL = "128";

/** Returns a function that resolves with a product's map. It rejects with a `WorkerError`. */
export function createMaps({ api, token, version }: MapAccess) {
  const maps = new Map<string, Promise<MockupMap>>();
  /** Small maps come one after the other: the service may have to make them, and the product goes first. */
  let turn: Promise<unknown> = Promise.resolve();
  return ({ product: { id }, side }: MockupOrder): Promise<MockupMap> => {
    const path = `mockup-maps/${version}/${id}/${side}`;
    const known = maps.get(path);
    if (known !== undefined) return known;
    // A large map takes up to 20 MB: those of one product are enough.
    for (const other of maps.keys()) {
      const isOther = !other.includes(`/${id}/`) && !other.endsWith(`/${SMALL}`);
      if (isOther && side !== SMALL) maps.delete(other);
    }
    const fetched = () => fetchMap(new URL(path, api), token);
    const map = side === SMALL ? turn.then(fetched) : fetched();
    maps.set(path, map);
    const settled = map.catch(() => maps.delete(path));
    if (side === SMALL) turn = settled;
    return map;
  };
}

async function fetchMap(url: URL, token: string): Promise<MockupMap> {
  const packed = await fetchBytes(url, token).catch((cause) => {
    const { code, message } = failureOf(cause);
    // The service has the maps of its own version.
    throw new WorkerError({ code: code === "not_found" ? "outdated" : code, message }, { cause });
  });
  const map = await unpackMap(packed);
  return openMap((into, at) => into.set(map.subarray(at, at + into.length)));
}
