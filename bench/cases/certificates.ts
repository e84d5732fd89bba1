/** Cases 11 and 12: certificates of new designs, by themselves and with an agent's tile. */
import { GROUP_NAMES } from "../../engine/recipe/index.ts";
import type { ApiClient, CertificateFacts } from "../harness/api-client.ts";
import { type BenchCase, type PreparedCase, WrongResult } from "../harness/case.ts";
import { onServer } from "../harness/on-server.ts";
import { quantile } from "../harness/statistics.ts";
import { timed } from "../harness/timed.ts";
import { photograph } from "../pictures/photograph.ts";
import { randomDesignInTurn } from "../pictures/random-designs.ts";

const SIZE = 1024;
const MEGAPIXELS = 12;
/** A design takes two requests, and a key may make 600 a minute. */
const KEYS = 8;

const METRICS = [
  { name: "ms", unit: "ms", better: "lower" },
  { name: "slowest", unit: "ms, the slowest", better: "lower" },
] as const;

const DESIGNS = `of a photograph of ${MEGAPIXELS} Mpx that the service knows, a motif at random in each of the 17 groups a round`;

export const mcpTile: BenchCase = {
  name: "mcp-tile",
  number: 11,
  title: `Tiles of ${SIZE}² with link and certificate over MCP (Streamable HTTP), ${DESIGNS}`,
  scope: "user",
  fairness:
    "One client calls `render_pattern_tile` for one new pattern after the other, with the defaults of the tool. Making the patterns is not timed. No peer offers such certificates.",
  metrics: METRICS,
  targets: [{ metric: "ms", must: 600, aim: 300 }],
  prepare: () =>
    prepare(async (api, pattern) => {
      const input = { pattern_id: pattern, size: SIZE };
      return (await api.toolFacts("render_pattern_tile", input)).symmetry;
    }),
};

export const certificates: BenchCase = {
  name: "certificates",
  number: 12,
  title: `Certificates of tiles of ${SIZE}² over HTTP, ${DESIGNS}`,
  scope: "user",
  fairness:
    "One client asks for the certificate of one new pattern after the other; rendering the tile is included, making the patterns is not timed. No peer offers such certificates.",
  metrics: METRICS,
  targets: [{ metric: "ms", must: 250, aim: 100 }],
  prepare: () => prepare((api, pattern) => api.certificate(pattern, SIZE)),
};

function prepare(
  certify: (api: ApiClient, pattern: number) => Promise<CertificateFacts>,
): Promise<PreparedCase> {
  return onServer(KEYS, async (server, api) => {
    const source = await api.upload(await photograph(MEGAPIXELS));
    const measure = async (n: number) => {
      const design = randomDesignInTurn(n);
      const pattern = await api.createPattern(source, design);
      let certificate: CertificateFacts = { verdict: "", found: null };
      const ms = await timed(async () => {
        certificate = await certify(api, pattern);
      });
      if (certificate.verdict !== "valid" && certificate.verdict !== "more_symmetric") {
        throw new WrongResult(`a pattern of ${design.group} is ${JSON.stringify(certificate)}`);
      }
      return ms;
    };
    let made = 0;
    return {
      contenders: [
        {
          name: "orbifold",
          ours: true,
          async run() {
            const times: number[] = [];
            for (const _ of GROUP_NAMES) times.push(await measure(made++));
            return { ms: quantile(times, 0.5), slowest: Math.max(...times) };
          },
        },
      ],
      notes: [server.description],
      versions: {},
      async check() {
        await measure(-1);
      },
      close: () => server.stop(),
    };
  });
}
