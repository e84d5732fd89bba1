/** The service's manifest for users who connect a client. */

import { KEY_QUOTAS } from "../actions/rate-limits.ts";
import type { Account } from "../actions/services.ts";
import { clientConfigs } from "./client-configs.ts";
import { TOOLS } from "./tools/index.ts";

/** Name and version in every transport. */
export const SERVER_INFO = {
  name: "orbifold",
  title: "orbifold — seamless patterns",
  version: "0.1.0",
} as const;

/**
 * Returns the manifest for a caller. `publicUrl` is the service's address, without a slash at the
 * end.
 */
export function manifest(publicUrl: string, { plan }: Account) {
  const api = `${publicUrl}/api/v1`;
  return {
    name: SERVER_INFO.name,
    version: SERVER_INFO.version,
    description:
      "Designs seamless patterns under the 17 wallpaper groups from any picture, renders tiles, sheets, aperiodic tilings, friezes and rosettes, and certifies their symmetry.",
    auth: {
      type: "api_key",
      header: "X-API-Key",
      format: "pf_<token>",
      create_via: `POST ${api}/api-keys`,
    },
    transports: {
      sse: { url: `${api}/mcp/sse`, messages: `${api}/mcp/messages`, protocol: "2024-11-05" },
      stdio: { command: "orbifold", args: ["mcp"], env: ["SERVICE_API_KEY", "DATABASE_URL"] },
      rest_legacy: { url: `${api}/mcp/execute`, deprecated: true },
      streamable_http: { url: `${api}/mcp` },
    },
    rate_limit_per_minute: KEY_QUOTAS[plan],
    tools: TOOLS.map(({ name }) => name),
    claude_desktop_example: clientConfigs(publicUrl).claudeDesktop,
  };
}
