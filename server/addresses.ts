/** URLs of the service and of its editor. */
import type { Config } from "./config.ts";

/**
 * Returns the URLs of the service and of its editor, without a slash at the end. `port` is the
 * actual port, which the configuration does not know if it says 0.
 */
export function addresses(
  config: Pick<Config, "host" | "publicUrl" | "editorUrl">,
  port: number,
): { readonly publicUrl: string; readonly editorUrl: string } {
  // The wildcard address cannot be used in links.
  const host = ["0.0.0.0", "::"].includes(config.host) ? "localhost" : config.host;
  const publicUrl = config.publicUrl ?? `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  return { publicUrl, editorUrl: config.editorUrl ?? `${publicUrl}/editor` };
}
