import Type from "typebox";
import { strict } from "../../actions/resources/fields.ts";
import { Unavailable } from "../errors.ts";
import { route } from "../route.ts";

const tag = "Operation";

/** How long the database may take to answer before the service counts as not ready. */
const PING_MS = 2000;

/** For operators, load balancers and supervisors. */
export const healthRoutes = [
  route({
    method: "GET",
    path: "/healthz",
    tag,
    summary: "Whether the process is alive, and what it runs on",
    auth: "none",
    responses: {
      200: {
        description: "It is alive.",
        schema: Type.Object(
          {
            status: Type.Literal("ok"),
            backend: Type.String({ examples: ["webasm"], description: "What the kernels run on." }),
            threads: Type.Integer({ examples: [4], description: "Threads that render." }),
          },
          strict,
        ),
      },
    },
    cost: 0,
    async handler({ services: { engine } }) {
      const { backend, threads } = engine;
      return { status: 200, json: { status: "ok", backend, threads } };
    },
  }),
  route({
    method: "GET",
    path: "/readyz",
    tag,
    summary: "Whether requests can be served now",
    auth: "none",
    responses: {
      200: {
        description: "They can.",
        schema: Type.Object({ status: Type.Literal("ready") }, strict),
      },
    },
    cost: 0,
    async handler({ services: { db } }) {
      await answersInTime(db.ping());
      return { status: 200, json: { status: "ready" } };
    },
  }),
];

async function answersInTime(answer: Promise<void>): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error("late")), PING_MS);
  try {
    await Promise.race([answer, late]);
  } catch (error) {
    throw new Unavailable("the database does not answer", { cause: error });
  } finally {
    clearTimeout(timer);
  }
}
