/** Where the service and its editor are reached. */
import type { Config } from "./config.ts";

/**
 * The service's own address and its editor's, without a slash at the end. `port` is the one
 * really listened on, which is known only then when the configuration says 0.
 */
export function addresses(
  config: Pick<Config, "host" | "publicUrl" | "editorUrl">,
  port: number,
): { readonly publicUrl: string; readonly editorUrl: string } {
  // "Any address" is none that a link can lead to.
  const host = ["0.0.0.0", "::"].includes(config.host) ? "localhost" : config.host;
  const publicUrl = config.publicUrl ?? `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  return { publicUrl, editorUrl: config.editorUrl ?? `${publicUrl}/editor` };
}
