/** The part of the engine that draws mockups anywhere, beside its core: a print on the map of a product. */
export { makePrint } from "./mockups/make-print.ts";
export { type MockupMap, openMap } from "./mockups/map.ts";
export { unpackMap } from "./mockups/packed-map.ts";
export { rasterise } from "./mockups/rasterise.ts";
