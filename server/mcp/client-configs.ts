/** How clients are told of this server: their own configurations, ready to paste. */

/** Where the repository lies, for programs that start the server themselves. */
const HOME = "/path/to/orbifold";

const KEY = "pf_…";

/** A place where a client puts in what it knows by this name. */
const variable = (name: string) => `\${${name}}`;

/**
 * Configurations of usual clients.
 * @param publicUrl the service's address, without a slash at the end
 * @param home the repository's folder
 */
export function clientConfigs(publicUrl: string, home: string = HOME) {
  const http = `${publicUrl}/api/v1/mcp`;
  return {
    /** Claude Desktop starts programs only; `mcp-remote` is one that speaks SSE. */
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
            // Without a space, which some clients lose on the way to npx.
            "--header",
            `X-API-Key:${variable("ORBIFOLD_KEY")}`,
          ],
          env: { ORBIFOLD_KEY: KEY },
        },
      },
    },

    /** Any client that starts programs, on the machine where the repository lies. */
    local: {
      mcpServers: {
        orbifold: {
          // The Node that the packages brought along; clients find another or none.
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

    /** Lines for a shell in place of the files. */
    commands: {
      claudeCode: `claude mcp add --transport http orbifold ${http} --header "X-API-Key: ${KEY}"`,
      codex: `codex mcp add orbifold --url ${http} --bearer-token-env-var ORBIFOLD_KEY`,
    },
  };
}
