import Type from "typebox";
import { strict } from "../../actions/fields.ts";
import { failingChecks, publicChecks, ReadinessChecks } from "../../actions/readiness.ts";
import { ReadinessFailed } from "../errors.ts";
import { route } from "../route.ts";

const tag = "Operation";

const ok = { status: "ok" };
const READY = {
  status: "ready",
  checks: { database: ok, disk: ok, pool: ok, event_loop: ok, jobs: ok, stopping: ok },
};

/** Probes for operators, load balancers and supervisors. */
export const healthRoutes = [
  route({
    method: "GET",
    path: "/healthz",
    tag,
    operationId: "getHealth",
    summary: "Liveness probe",
    auth: "none",
    responses: {
      200: {
        description: "The process is alive.",
        schema: Type.Object(
          {
            status: Type.Literal("ok"),
            backend: Type.String({
              examples: ["webasm"],
              description: "Backend that runs the kernels.",
            }),
            threads: Type.Integer({ examples: [4], description: "Number of rendering threads." }),
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
    operationId: "getReadiness",
    summary: "Readiness probe",
    auth: "none",
    responses: {
      200: {
        description: "Ready.",
        schema: Type.Object({ status: Type.Literal("ready"), checks: ReadinessChecks }, strict),
        example: READY,
      },
    },
    cost: 0,
    async handler({ services: { readiness } }) {
      const checks = await readiness.check();
      const failing = failingChecks(checks);
      const shown = publicChecks(checks);
      if (failing.length > 0) throw new ReadinessFailed(failing, shown);
      return { status: 200, json: { status: "ready", checks: shown } };
    },
  }),
];
