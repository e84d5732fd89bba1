/** Case 18: what a server keeps after many renders of all kinds. */
import { type BenchCase, type PreparedCase, WrongResult } from "../harness/case.ts";
import { closedLoop } from "../harness/closed-loop.ts";
import { onServer } from "../harness/on-server.ts";
import { familyMegabytes, processFigures } from "../harness/process-figures.ts";
import { photograph } from "../pictures/photograph.ts";
import { randomDesignInTurn } from "../pictures/random-designs.ts";

const RENDERS = 1000;
const CLIENTS = 8;
/** A key may make 600 requests a minute. */
const KEYS = 32;

/** What is asked for in turn: tiles and sheets of several sizes, in all formats. */
const KINDS = [
  { size: 256, format: "webp" },
  { size: 512, format: "png" },
  { size: 1024, format: "png" },
  { size: 512, format: "jpeg" },
  { size: 512, format: "avif" },
  { mode: "surface", surface_width: 1600, surface_height: 1200, format: "png" },
  { mode: "surface", surface_width: 1200, surface_height: 1600, format: "jpeg" },
  { mode: "aperiodic", surface_width: 800, surface_height: 800, format: "png" },
] as const;

export const memory: BenchCase = {
  name: "memory",
  number: 18,
  title: `${RENDERS} renders of photographs of 2 and 12 Mpx over HTTP, ${CLIENTS} at a time: tiles, sheets and aperiodic tilings, in all formats`,
  scope: "service",
  fairness:
    "Every render is the first of its pattern. Memory is resident, of the server's process right after the last answer, and with its codec processes; the database does not count.",
  metrics: [
    { name: "memory", unit: "MB", better: "lower" },
    { name: "family", unit: "MB with codec processes", better: "lower" },
    { name: "rate", unit: "renders/s", better: "higher" },
  ],
  targets: [{ metric: "memory", must: 600, aim: 400 }],
  long: { why: `${RENDERS} renders`, rounds: 1 },
  prepare,
};

function prepare(): Promise<PreparedCase> {
  return onServer(KEYS, async (server, api) => {
    const sources = [await api.upload(await photograph(2)), await api.upload(await photograph(12))];
    let made = 0;
    const newRequests = async (count: number) => {
      const requests = [];
      for (const end = made + count; made < end; made++) {
        const design = randomDesignInTurn(made);
        const pattern = await api.createPattern(sources[made % sources.length], design);
        requests.push({ pattern, fields: KINDS[made % KINDS.length] });
      }
      return requests;
    };
    return {
      contenders: [
        {
          name: "orbifold",
          ours: true,
          async run() {
            const requests = await newRequests(RENDERS);
            const { rate } = await closedLoop(requests, CLIENTS, ({ pattern, fields }) =>
              api.render(pattern, fields),
            );
            const { megabytes } = processFigures(server.pid);
            return { memory: megabytes, family: familyMegabytes(server.pid), rate };
          },
        },
      ],
      notes: [server.description],
      versions: {},
      async check() {
        for (const { pattern, fields } of await newRequests(KINDS.length)) {
          const picture = await api.render(pattern, fields);
          if (picture.byteLength < 1000)
            throw new WrongResult(`${JSON.stringify(fields)} is empty`);
        }
      },
      close: () => server.stop(),
    };
  });
}
