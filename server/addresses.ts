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
  const publicUrl = config.publicUrl ?? urlOf(config.host, port);
  return { publicUrl, editorUrl: config.editorUrl ?? `${publicUrl}/editor` };
}

/** Returns the URL of a port that this machine listens on, without a slash at the end. */
export function urlOf(listensOn: string, port: number): string {
  // The wildcard address cannot be used in links.
  const host = ["0.0.0.0", "::"].includes(listensOn) ? "localhost" : listensOn;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
