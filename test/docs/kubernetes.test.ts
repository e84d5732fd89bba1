/** The manifests for Kubernetes: against its published types, against each other and against the service. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { ServiceMonitor } from "@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1";
import { Deployment } from "kubernetes-models/apps/v1";
import { HorizontalPodAutoscaler } from "kubernetes-models/autoscaling/v2";
import { Ingress, NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1";
import { Service } from "kubernetes-models/v1";
import t from "tap";
import { parse, parseAllDocuments } from "yaml";
import { readConfig } from "../../server/config.ts";
import { VARIABLES } from "../../server/variables.ts";
import { temporaryFolder } from "../helpers/database.ts";

const run = promisify(execFile);
const { resolve } = createRequire(import.meta.url);
const COMPILE = join(dirname(resolve("typescript/package.json")), "lib/tsc.js");
const FOLDER = fileURLToPath(new URL("../../docs/examples/kubernetes/", import.meta.url));
const CACHE = fileURLToPath(new URL("../../node_modules/.cache/", import.meta.url));

/** The kinds of objects, each with the package of its types. */
const KINDS = {
  Deployment: [Deployment, "kubernetes-models/apps/v1"],
  HorizontalPodAutoscaler: [HorizontalPodAutoscaler, "kubernetes-models/autoscaling/v2"],
  Ingress: [Ingress, "kubernetes-models/networking.k8s.io/v1"],
  NetworkPolicy: [NetworkPolicy, "kubernetes-models/networking.k8s.io/v1"],
  PodDisruptionBudget: [PodDisruptionBudget, "kubernetes-models/policy/v1"],
  Service: [Service, "kubernetes-models/v1"],
  ServiceMonitor: [
    ServiceMonitor,
    "@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1",
  ],
} as const;

// biome-ignore lint/suspicious/noExplicitAny: objects of every kind
type Manifest = any;

const readYaml = async (name: string): Promise<Manifest> =>
  parse(await readFile(join(FOLDER, name), "utf8"));

const kustomization = await readYaml("kustomization.yaml");
const manifests = new Map<string, Manifest>();
for (const name of kustomization.resources) manifests.set(name, await readYaml(name));
const manifest = (name: string): Manifest => structuredClone(manifests.get(`${name}.yaml`));

/** Checks objects as literals of their types, which knows all fields; returns the compiler's errors. */
async function compile(objects: Readonly<Record<string, Manifest>>): Promise<string> {
  await mkdir(CACHE, { recursive: true });
  const folder = await mkdtemp(join(CACHE, "kubernetes-"));
  try {
    const files = Object.entries(objects).map(async ([name, object]) => {
      const [, from] = KINDS[object.kind as keyof typeof KINDS];
      const file = join(folder, `${name}.ts`);
      const type = `I${object.kind}`;
      await writeFile(
        file,
        `import type { ${type} } from "${from}";\nexport const object: ${type} = ${JSON.stringify(object)};\n`,
      );
      return file;
    });
    const options = "--noEmit --strict --skipLibCheck --module nodenext --target es2024";
    const args = [COMPILE, ...options.split(" "), "--ignoreConfig", ...(await Promise.all(files))];
    return await run(process.execPath, args).then(
      () => "",
      ({ stdout }) => String(stdout).replaceAll(/^.*\/(?=[\w-]+\.ts)/gm, ""),
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}

t.test("every manifest is applied", async (t) => {
  const others = ["kustomization.yaml", "prometheus-adapter.yaml"];
  const names = (await readdir(FOLDER)).filter((name) => !others.includes(name));
  t.same(names.sort(), [...kustomization.resources].sort());
});

t.test("every manifest is an object as Kubernetes describes it", async (t) => {
  const objects: Record<string, Manifest> = {};
  for (const [name, object] of manifests) {
    const [Kind] = KINDS[object.kind as keyof typeof KINDS];
    t.equal(object.apiVersion, Kind.apiVersion, name);
    t.doesNotThrow(() => new Kind(object).validate(), name);
    objects[name.replace(/\.yaml$/, "")] = object;
  }
  t.equal(await compile(objects), "");

  const unknown = manifest("deployment");
  unknown.spec.template.spec.containers[0].readynessProbe = {};
  const missing = manifest("autoscaler");
  delete missing.spec.maxReplicas;
  const wrong = manifest("service");
  wrong.spec.ports[0].port = "80";
  const errors = await compile({ unknown, missing, wrong });
  t.match(errors, /^unknown.*'"?readynessProbe"?' does not exist/m);
  t.match(errors, /^missing.*maxReplicas/ms);
  t.match(errors, /^wrong.*not assignable to type 'number'/m);
  t.throws(() => new Service(wrong).validate());
});

t.test("the manifests fit together", (t) => {
  const { spec } = manifest("deployment");
  const labels = spec.template.metadata.labels;
  const [container] = spec.template.spec.containers;
  const portOf = (name: string) =>
    container.ports.find((port: Manifest) => port.name === name)?.containerPort;
  for (const selected of [
    spec.selector.matchLabels,
    manifest("service").spec.selector,
    manifest("disruption-budget").spec.selector.matchLabels,
    manifest("network-policy").spec.podSelector.matchLabels,
  ]) {
    t.same(selected, labels);
  }
  const service = manifest("service");
  const monitor = manifest("service-monitor");
  t.same(monitor.spec.selector.matchLabels, service.metadata.labels);
  const served = service.spec.ports.map((port: Manifest) => port.name);
  t.ok(served.includes(monitor.spec.endpoints[0].port));
  for (const port of service.spec.ports) t.ok(portOf(port.targetPort), port.name);
  for (const { ports } of manifest("network-policy").spec.ingress) t.ok(portOf(ports[0].port));
  const backend = manifest("ingress").spec.rules[0].http.paths[0].backend.service;
  t.equal(backend.name, service.metadata.name);
  t.ok(served.includes(backend.port.name));
  t.equal(manifest("autoscaler").spec.scaleTargetRef.name, manifest("deployment").metadata.name);
  t.equal(kustomization.images[0].name, container.image);
  const mounted = container.volumeMounts.map((mount: Manifest) => mount.name).sort();
  t.same(spec.template.spec.volumes.map((volume: Manifest) => volume.name).sort(), mounted);
  t.end();
});

t.test("the settings are the service's, and fit the limits around them", async (t) => {
  const { spec } = manifest("deployment").spec.template;
  const [container] = spec.containers;
  const secrets: Record<string, string> = {
    DATABASE_URL: "postgresql://user:pw@db.example/orbifold",
    OBJECT_STORE_URL: "s3://key:secret@s3.example/bucket",
  };
  const env: Record<string, string> = {};
  for (const { name, value, valueFrom } of container.env) {
    t.ok(name in VARIABLES, name);
    env[name] = value ?? secrets[valueFrom.secretKeyRef.key];
  }
  const config = readConfig(env);
  t.equal(config.metricsPort, 9464);
  t.equal(container.ports[0].containerPort, VARIABLES.PORT.fallback);
  const stopMs = config.shutdownDelayMs + config.shutdownGraceMs;
  t.ok(spec.terminationGracePeriodSeconds * 1000 >= stopMs + 5000);
  const probe = container.readinessProbe;
  const noticedMs = 1000 * probe.periodSeconds * probe.failureThreshold;
  t.ok(config.shutdownDelayMs > noticedMs, "it answers until it is known not to be ready");
  t.ok(config.cacheBytes < 8 * 2 ** 30);
  const image = await readFile(new URL("../../Dockerfile", import.meta.url), "utf8");
  t.match(image, `--uid ${spec.securityContext.runAsUser} `);
  t.match(image, "DATA_DIR=/data");
});

t.test("the autoscaler's metric is made of one of the service's", async (t) => {
  const [rule] = (await readYaml("prometheus-adapter.yaml")).rules.custom;
  t.equal(manifest("autoscaler").spec.metrics[0].pods.metric.name, rule.name.as);
  const [, metric = ""] = /^(\w+)_sum\{/.exec(rule.seriesQuery) ?? [];
  const source = await readFile(
    new URL("../../server/metrics/measure-work.ts", import.meta.url),
    "utf8",
  );
  t.match(source, `"${metric}"`);
});

const hasKubectl = await run("kubectl", ["kustomize", "--help"]).then(
  () => true,
  () => false,
);

/** Returns the objects that `kubectl kustomize` makes of a folder, by their kinds. */
async function kustomize(folder: string): Promise<Record<string, Manifest>> {
  const { stdout } = await run("kubectl", ["kustomize", folder]);
  const objects = parseAllDocuments(stdout).map((document): Manifest => document.toJS());
  return Object.fromEntries(objects.map((object) => [object.kind, object]));
}

t.test("kustomize", { skip: hasKubectl ? false : "kubectl is not installed" }, async (t) => {
  const plain = await kustomize(FOLDER);
  t.same(Object.keys(plain).sort(), Object.keys(KINDS).sort());
  for (const { kind, metadata } of Object.values(plain))
    t.equal(metadata.namespace, "orbifold", kind);
  const [image] = kustomization.images;
  const imageOf = ({ Deployment }: typeof plain) =>
    Deployment.spec.template.spec.containers[0].image;
  t.equal(imageOf(plain), `${image.newName}:${image.newTag}`);

  // An environment of one's own beside it, as docs/operations.md suggests.
  const folder = await temporaryFolder(t);
  const instance = { "app.kubernetes.io/instance": "stage" };
  const overlay = {
    namePrefix: "stage-",
    namespace: "stage",
    labels: [{ pairs: instance, includeSelectors: true }],
    images: [{ name: image.newName, newTag: "9" }],
    secretGenerator: [{ name: "orbifold", literals: ["DATABASE_URL=a", "OBJECT_STORE_URL=b"] }],
    resources: [relative(folder, FOLDER)],
  };
  await writeFile(join(folder, "kustomization.yaml"), JSON.stringify(overlay));
  const { Secret, ...staged } = await kustomize(folder);
  t.same(Object.keys(staged).sort(), Object.keys(KINDS).sort());
  for (const { kind, metadata } of Object.values(staged)) {
    t.match(metadata, { name: "stage-orbifold", namespace: "stage", labels: instance }, kind);
  }
  t.equal(imageOf(staged), `${image.newName}:9`);
  const [{ env }] = staged.Deployment.spec.template.spec.containers;
  const references = env.flatMap(({ valueFrom }: Manifest) => valueFrom?.secretKeyRef ?? []);
  t.same(
    references,
    Object.keys(Secret.data).map((key) => ({ name: Secret.metadata.name, key })),
  );
  t.equal(staged.HorizontalPodAutoscaler.spec.scaleTargetRef.name, "stage-orbifold");
  t.equal(staged.Ingress.spec.rules[0].http.paths[0].backend.service.name, "stage-orbifold");
  const pod = staged.Deployment.spec.template.metadata.labels;
  for (const selected of [
    staged.Deployment.spec.selector.matchLabels,
    staged.Service.spec.selector,
    staged.PodDisruptionBudget.spec.selector.matchLabels,
    staged.NetworkPolicy.spec.podSelector.matchLabels,
  ]) {
    t.same(selected, pod);
  }
  const { jobLabel } = staged.ServiceMonitor.spec;
  const rules = await readFile(join(FOLDER, "../metrics/alerts.yaml"), "utf8");
  t.match(rules, `up{job="${staged.Service.metadata.labels[jobLabel]}"}`);
});
