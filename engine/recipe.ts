/**
 * Recipes as plain data: the fields of patterns, renders and prints. One TypeBox schema each defines the
 * static type, the run-time check, the OpenAPI document and the database's JSON columns; names are
 * those of the public API.
 */
export * from "./recipe/design.ts";
export * from "./recipe/formats.ts";
export * from "./recipe/limits.ts";
export * from "./recipe/print-fields.ts";
export * from "./recipe/print-formats.ts";
export * from "./recipe/render-fields.ts";
export * from "./recipe/validate-fields.ts";
