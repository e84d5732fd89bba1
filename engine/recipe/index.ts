/**
 * Recipes as plain data: the fields of patterns, renders and prints. One TypeBox schema each defines the
 * static type, the run-time check, the OpenAPI document and the database's JSON columns; names are
 * those of the public API.
 */
export type * from "./checked.ts";
export * from "./counterchanges.ts";
export * from "./design.ts";
export * from "./formats.ts";
export * from "./friezes.ts";
export * from "./groups.ts";
export * from "./limits.ts";
export * from "./print-fields.ts";
export * from "./print-formats.ts";
export * from "./render-fields.ts";
export * from "./requests.ts";
export * from "./tile-edges.ts";
export * from "./validate-fields.ts";
export * from "./vector-formats.ts";
