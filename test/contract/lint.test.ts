import { createConfig, lintFromString } from "@redocly/openapi-core";
import t from "tap";
import { testServer } from "../helpers/server.ts";

/** Public pages and probes without input have no client errors. */
const WITHOUT_REFUSALS = ["/healthz", "/readyz", "/api/v1/openapi.json", "/docs", "/docs/problems"];

async function complaintsAbout(source: string) {
  const config = await createConfig({ extends: ["recommended"] });
  const found = await lintFromString({ source, absoluteRef: "/openapi.json", config });
  return found.map(({ ruleId, severity, location, message }) => {
    return { ruleId, severity, pointer: location[0]?.pointer ?? "", message };
  });
}

t.test("a public linter reports nothing about the document", async (t) => {
  const { url } = await testServer(t);
  const source = await (await fetch(`${url}/api/v1/openapi.json`)).text();
  const allowed = new Set(
    WITHOUT_REFUSALS.map(
      (path) => `operation-4xx-response #/paths/${path.replaceAll("/", "~1")}/get/responses`,
    ),
  );
  const issues = await complaintsAbout(source);
  const place = ({ ruleId, pointer }: { ruleId: string; pointer: string }) =>
    `${ruleId} ${pointer}`;
  t.same(
    issues.filter((one) => one.severity === "error" || !allowed.has(place(one))),
    [],
  );
  t.same(new Set(issues.map(place)), allowed, "what is allowed is still there");

  const broken = JSON.parse(source);
  delete broken.paths["/api/v1/patterns/{id}"].get.parameters;
  t.match(await complaintsAbout(JSON.stringify(broken)), [
    { ruleId: "path-parameters-defined", severity: "error" },
  ]);
});
