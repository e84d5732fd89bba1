/**
 * What a picture is made of, as plain data: the fields of a pattern and of a render request.
 * One TypeBox schema gives the static type, the run-time check, the OpenAPI document and the
 * database's JSON columns their shape; names are those of the interface document.
 */
export * from "./recipe/design.ts";
export * from "./recipe/formats.ts";
export * from "./recipe/limits.ts";
export * from "./recipe/print-fields.ts";
export * from "./recipe/print-formats.ts";
export * from "./recipe/render-fields.ts";
export * from "./recipe/validate-fields.ts";
