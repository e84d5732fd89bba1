/** The page of the editor and its content security policy. It loads nothing from other hosts. */
import type { EditorBundle } from "../../editor/bundle.ts";
import type { OpenedHandoff } from "../actions/handoffs.ts";
import { bundlePage } from "./bundle-page.ts";

type Handoff = Pick<OpenedHandoff["handoff"], "return_url" | "locale" | "opened_at" | "expires_at">;

/**
 * The page, with links that start with `basePath`.
 * @param handoff the one in the page's address; null without one
 */
export const editorPage = (
  basePath: string,
  { editor }: Pick<EditorBundle, "editor">,
  handoff: Handoff | null,
) =>
  bundlePage({
    basePath,
    title: "orbifold editor",
    files: editor,
    ...(handoff !== null && { facts: factsOf(handoff) }),
  });

const factsOf = ({ return_url, locale, opened_at, expires_at }: Handoff) => ({
  "return-url": return_url,
  ...(locale !== null && { locale }),
  ...(opened_at === null && expires_at.getTime() <= Date.now() && { link: "expired" }),
});

/**
 * Policy of the page and its worker: everything from the same origin. WebAssembly is compiled, but no
 * script is made of text, and a Trusted Types policy names the worker's URL.
 * @param framedBy the only origin whose pages may frame this one; null: none
 */
export const editorPolicy = (framedBy: string | null) =>
  [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "worker-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${framedBy ?? "'none'"}`,
    "require-trusted-types-for 'script'",
    "trusted-types orbifold",
  ].join("; ");
