/** Client configurations for this server, ready to paste. */

/** Placeholder for the repository's path in configurations that start the server. */
const HOME = "/path/to/orbifold";

const KEY = "pf_…";

/** A variable that the client substitutes. */
const variable = (name: string) => `\${${name}}`;

/**
 * Returns configurations of common clients.
 * @param publicUrl the service's address, without a slash at the end
 * @param home the repository's folder
 */
export function clientConfigs(publicUrl: string, home: string = HOME) {
  const http = `${publicUrl}/api/v1/mcp`;
  return {
    /** Claude Desktop only starts programs; `mcp-remote` is one that speaks SSE. */
    claudeDesktop: {
      mcpServers: {
        orbifold: {
          command: "npx",
          args: [
            "-y",
            "mcp-remote",
            `${http}/sse`,
            "--transport",
            "sse-only",
            // Without a space, which some clients drop.
            "--header",
            `X-API-Key:${variable("ORBIFOLD_KEY")}`,
          ],
          env: { ORBIFOLD_KEY: KEY },
        },
      },
    },

    /** Any client that starts programs, on the repository's machine. */
    local: {
      mcpServers: {
        orbifold: {
          // The pinned Node: clients may find another one or none.
          command: `${home}/node_modules/.bin/node`,
          args: [`${home}/server/cli.ts`, "mcp"],
          env: { SERVICE_API_KEY: KEY, DATA_DIR: `${home}/.data` },
        },
      },
    },

    /** `.mcp.json` of a project. */
    claudeCode: {
      mcpServers: {
        orbifold: {
          type: "http",
          url: http,
          headers: { "X-API-Key": variable("ORBIFOLD_KEY") },
        },
      },
    },

    /** `~/.cursor/mcp.json`. */
    cursor: {
      mcpServers: {
        orbifold: {
          url: http,
          headers: { "X-API-Key": variable("env:ORBIFOLD_KEY") },
        },
      },
    },

    /** `.vscode/mcp.json`; VS Code asks for the key once. */
    vsCode: {
      inputs: [
        { type: "promptString", id: "orbifold-key", description: "orbifold key", password: true },
      ],
      servers: {
        orbifold: {
          type: "http",
          url: http,
          headers: { "X-API-Key": variable("input:orbifold-key") },
        },
      },
    },

    /** `~/.codex/config.toml`. */
    codex: `\
[mcp_servers.orbifold]
url = "${http}"
env_http_headers = { "X-API-Key" = "ORBIFOLD_KEY" }
`,

    /** Shell commands instead of the files. */
    commands: {
      claudeCode: `claude mcp add --transport http orbifold ${http} --header "X-API-Key: ${KEY}"`,
      codex: `codex mcp add orbifold --url ${http} --bearer-token-env-var ORBIFOLD_KEY`,
    },
  };
}
