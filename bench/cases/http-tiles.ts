/** Case 8: tiles over HTTP, each of another pattern, from a server that was really started. */
import { decode } from "fast-png";
import { type Design, GROUP_NAMES, plainDesign } from "../../engine/recipe.ts";
import { type BenchCase, type Bout, WrongOutcome } from "../harness/case.ts";
import { closedLoop } from "../harness/closed-loop.ts";
import { assertSamePixels } from "../harness/compare-pixels.ts";
import { type StartedServer, startServer } from "../harness/started-server.ts";
import { photoLike } from "../pictures/photo-like.ts";
import { asUpload, openInThreadEngine } from "./in-thread-engine.ts";

const SIZE = 512;
const SOURCE_SIZE = 1024;
const CLIENTS = 8;
/** In each round. */
const REQUESTS = 160;
/** After this a request counts as hanging. */
const PATIENCE_MS = 30_000;

export const httpTiles: BenchCase = {
  name: "http",
  number: 8,
  title: `Distinct PNG tiles of ${SIZE}² over HTTP, closed loop of ${CLIENTS} clients, ${REQUESTS} tiles a round`,
  fairness:
    "The clients run on the same cores as the server. Every request is the first for its pattern: the groups in turn, each time another part of one photo-like source. Making the patterns is not timed.",
  metrics: [
    { name: "rate", unit: "tiles/s", better: "higher" },
    { name: "median", unit: "ms median", better: "lower" },
    { name: "p95", unit: "ms p95", better: "lower" },
  ],
  targets: [
    { metric: "rate", must: 40, aim: 100 },
    { metric: "p95", must: 300 },
  ],
  prepare,
};

async function prepare(): Promise<Bout> {
  const server = await startServer();
  try {
    const api = await openApi(server);
    const source = asUpload(photoLike(SOURCE_SIZE));
    const sourceId = await api.upload(source.bytes);
    let made = 0;
    const newPatterns = async (count: number) => {
      const patterns = [];
      for (const end = made + count; made < end; made++) {
        const design = designAt(made);
        patterns.push({ design, id: await api.createPattern(sourceId, design) });
      }
      return patterns;
    };
    return {
      contenders: [
        {
          name: "orbifold",
          ours: true,
          async run() {
            const patterns = await newPatterns(REQUESTS);
            return { ...(await closedLoop(patterns, CLIENTS, ({ id }) => api.tile(id))) };
          },
        },
      ],
      notes: [server.description],
      versions: {},
      async check() {
        const engine = await openInThreadEngine();
        for (const { design, id } of await newPatterns(GROUP_NAMES.length)) {
          const expected = await engine.tile(design, source, SIZE);
          const { data } = decode(await api.tile(id), { checkCrc: true });
          // A server with a GPU may differ by one step.
          assertSamePixels(design.group, data, expected, { most: 1, mean: 0.1 });
        }
        await engine.close();
      },
      close: () => server.stop(),
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** The groups in turn, on parts of the source that repeat only after 10 007 designs. */
function designAt(n: number): Design {
  const plain = plainDesign(GROUP_NAMES[n % GROUP_NAMES.length]);
  const spread = (multiplier: number) => ((n * multiplier) % 10_007) / 10_007;
  const middle = (multiplier: number) => 0.35 + 0.3 * spread(multiplier);
  const motif = { x: middle(2711), y: middle(4001), scale: 2, rotation: 360 * spread(6007) };
  return { ...plain, motif };
}

/** The few calls of the API that the case needs, with a key of an account made for it. */
async function openApi(server: StartedServer) {
  const email = "bench@example.com";
  const plan = ["--plan", "agency", "--credits", "1000000"];
  const account = await server.cli("accounts", "create", "--email", email, ...plan);
  const id = String(account.id);
  const { secret } = await server.cli("keys", "create", "--account", id, "--name", "bench");
  const post = async (path: string, body: FormData | string) => {
    const headers: Record<string, string> = { "x-api-key": String(secret) };
    if (typeof body === "string") headers["content-type"] = "application/json";
    const url = `${server.url}/api/v1${path}`;
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const answer = await fetch(url, { method: "POST", headers, body, signal });
    if (!answer.ok) {
      const story = `${await answer.text()}\n${server.lastWords()}`;
      throw new WrongOutcome(`POST ${path}: ${answer.status} ${story}`);
    }
    return answer;
  };
  return {
    async upload(bytes: Uint8Array): Promise<number> {
      const form = new FormData();
      form.append("file", new Blob([new Uint8Array(bytes)]), "photo-like.png");
      return (await (await post("/sources/upload", form)).json()).id;
    },
    async createPattern(sourceId: number, { group, motif }: Design): Promise<number> {
      const body = JSON.stringify({ source_id: sourceId, group, motif });
      return (await (await post("/patterns", body)).json()).id;
    },
    async tile(pattern: number): Promise<Uint8Array> {
      const body = JSON.stringify({ size: SIZE, format: "png" });
      return new Uint8Array(await (await post(`/patterns/${pattern}/render`, body)).arrayBuffer());
    },
  };
}
