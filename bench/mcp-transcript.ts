/**
 * `npm run mcp-transcript`: connects a client to a new service over MCP, and writes the
 * conversation to docs/mcp-transcript.md and its pictures to docs/images/mcp.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import sharp from "sharp";
import { startServer } from "./harness/started-server.ts";
import { abridge, layOut } from "./mcp-transcript/abridge.ts";
import { STEPS, type Step } from "./mcp-transcript/steps.ts";

const DOCS = fileURLToPath(new URL("../docs/", import.meta.url));
const PICTURES = "images/mcp";

/** Pixels of a picture's longer side on the page. */
const SHOWN_SIDE = 480;

/** The default address of a service, shown in place of this run's address. */
const USUAL_ADDRESS = "http://127.0.0.1:3000";

const HEAD = `\
# A conversation over MCP

“I want a wallpaper for my kitchen: leaves, cool colours, calm. And is it really symmetric?” Below is
all that an agent's client sends and receives for it, over SSE, from the first list to the certificate.
Lists and long texts are shortened where \`…\` stands; pictures are smaller here than in the responses.

\`npm run mcp-transcript\` generates this page with the protocol's own client; a test repeats the calls
and compares the responses. [MCP](mcp.md) explains how to connect your own client.
`;

await main();

async function main(): Promise<void> {
  const server = await startServer();
  try {
    const { secret } = await server.cli("keys", "create", "--account", "1", "--name", "transcript");
    const client = new Client({ name: "transcript", version: "1.0.0" });
    const headers = { "X-API-Key": String(secret) };
    const sse = new URL(`${server.url}/api/v1/mcp/sse`);
    await client.connect(new SSEClientTransport(sse, { requestInit: { headers } }));
    await mkdir(`${DOCS}${PICTURES}`, { recursive: true });
    const parts = [HEAD, introduction(client)];
    for (const [at, step] of STEPS.entries()) {
      const call = { name: step.name, arguments: step.arguments };
      const result = (await client.callTool(call)) as CallToolResult;
      const told = await tell(at + 1, step, result);
      parts.push(told.replaceAll(server.url, USUAL_ADDRESS));
    }
    await client.close();
    await writeFile(`${DOCS}mcp-transcript.md`, parts.join("\n"));
  } finally {
    await server.stop();
  }
}

/** The server's introduction. */
function introduction(client: Client): string {
  const [about = ""] = (client.getInstructions() ?? "").split("\n");
  return `\
## Connect

The server introduces itself and gives the model instructions, which begin like this:

\`\`\`text
${about}
\`\`\`
`;
}

async function tell(number: number, step: Step, result: CallToolResult): Promise<string> {
  const { title, words, name, arguments: given, picture } = step;
  const lines = [`## ${number}. ${title}`, "", words, "", block({ name, arguments: given })];
  const image = result.content.find(({ type }) => type === "image");
  if (picture && image?.type === "image") {
    const { width, height, bytes } = await savePicture(image.data, picture);
    lines.push("", `![The picture in the response](${PICTURES}/${picture}.jpg)`);
    lines.push("", `An \`${image.mimeType}\` of ${width} × ${height} pixels (${bytes}), and:`);
  }
  lines.push("", block(abridge(factsOf(result, step.fails))), "");
  return lines.join("\n");
}

function block(value: unknown): string {
  return `\`\`\`json\n${layOut(value)}\n\`\`\``;
}

/** The text of the response; of a failure, its message. */
function factsOf({ content, isError = false }: CallToolResult, fails = false): unknown {
  const told = content.find(({ type }) => type === "text");
  if (told?.type !== "text") throw new Error("the answer has no text");
  if (isError !== fails) throw new Error(`unexpected: ${told.text}`);
  return isError ? { isError, text: told.text } : JSON.parse(told.text);
}

async function savePicture(data: string, name: string) {
  const bytes = Buffer.from(data, "base64");
  const picture = sharp(bytes);
  const { width, height } = await picture.metadata();
  await picture
    .resize(SHOWN_SIDE, SHOWN_SIDE, { fit: "inside" })
    .jpeg({ quality: 80, mozjpeg: true })
    .toFile(`${DOCS}${PICTURES}/${name}.jpg`);
  return { width, height, bytes: `${Math.round(bytes.length / 1000)} kB` };
}
