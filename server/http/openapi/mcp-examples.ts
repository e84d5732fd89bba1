/** Examples of MCP responses. */

/** The server's description of itself. */
export const MANIFEST = {
  name: "orbifold",
  version: "0.1.0",
  description: "Designs seamless patterns under the 17 wallpaper groups from any picture.",
  auth: {
    type: "api_key",
    header: "X-API-Key",
    format: "pf_<token>",
    create_via: "POST https://orbifold.example/api/v1/api-keys",
  },
  transports: {
    sse: {
      url: "https://orbifold.example/api/v1/mcp/sse",
      messages: "https://orbifold.example/api/v1/mcp/messages",
      protocol: "2024-11-05",
    },
    stdio: { command: "orbifold", args: ["mcp"], env: ["SERVICE_API_KEY", "DATABASE_URL"] },
    rest_legacy: { url: "https://orbifold.example/api/v1/mcp/execute", deprecated: true },
  },
  rate_limit_per_minute: 120,
  tools: ["list_groups", "create_pattern", "render_pattern_tile"],
  claude_desktop_example: {
    mcpServers: {
      orbifold: {
        command: "orbifold",
        args: ["mcp"],
        env: { SERVICE_API_KEY: "pf_…", DATABASE_URL: "postgresql://…" },
      },
    },
  },
};

/** Response of the deprecated endpoint for `list_groups`, its first row. */
export const EXECUTED = {
  tool: "list_groups",
  result: {
    data: [
      {
        name: "p1",
        hermann_mauguin: "p1",
        orbifold: "o",
        lattice: "oblique",
        counterchanges: ["p1"],
      },
    ],
  },
};

/** Response to `initialize`. */
export const ANSWERED = {
  jsonrpc: "2.0",
  id: 1,
  result: {
    protocolVersion: "2025-06-18",
    capabilities: { tools: {} },
    serverInfo: { name: "orbifold", version: "0.1.0" },
  },
};

/** Response to a rate-limited call. */
export const REFUSED = {
  jsonrpc: "2.0",
  id: 1,
  error: {
    code: -31429,
    message:
      "rate_limited: more than 120 requests came within 60 seconds. Wait for a minute, or for the calls that are under way.",
    data: { code: "rate_limited", status: 429, retry_after: 60 },
  },
};

/** First message to a server. */
export const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "curl", version: "8.0.0" },
  },
};
