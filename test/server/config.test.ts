import { writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import t from "tap";
import { DEFAULT_QUOTAS, DEFAULT_RETENTION } from "../../db/index.ts";
import { addresses } from "../../server/addresses.ts";
import { readConfig } from "../../server/config.ts";
import { describeSignUps } from "../../server/sign-ups.ts";
import { temporaryFolder } from "../helpers/database.ts";

const secret = "s".repeat(32);
const issuer = {
  JWT_JWKS_URL: "https://id.example/keys",
  JWT_ISSUER: "https://id.example/",
  JWT_AUDIENCE: "orbifold",
};

t.test("an empty environment has defaults", async (t) => {
  t.same(readConfig({}), {
    host: "127.0.0.1",
    port: 3000,
    roles: { api: true, render: true, jobs: true, forOthers: null },
    metricsPort: null,
    publicUrl: null,
    editorUrl: null,
    dataDir: resolve(".data"),
    databaseUrl: null,
    objectStore: null,
    tokens: { kind: "secret", secret: null },
    engine: { backend: "auto", threads: availableParallelism(), queueMax: 64 },
    outbound: { allow: [], allowHttp: false, sourceHosts: [] },
    renderTimeoutMs: 120_000,
    maxConnections: 2000,
    bodyBytes: 2 ** 29,
    requestTimeoutMs: 300_000,
    bodyIdleTimeoutMs: 30_000,
    cacheBytes: 2 ** 30,
    sharedRendersDays: 0,
    quotas: DEFAULT_QUOTAS,
    retention: DEFAULT_RETENTION,
    signUps: "loopback",
    mail: null,
    serviceApiKey: null,
    tracesSampled: null,
    logLevel: "info",
    trustedProxies: 0,
    shutdownGraceMs: 8000,
    shutdownDelayMs: 3000,
    diskMinimumFreeBytes: 2 ** 26,
  });
});

t.test("reads all variables", async (t) => {
  const given = {
    HOST: "0.0.0.0",
    PORT: "8080",
    ROLES: "render, api",
    RENDER_PORT: "3001",
    RENDER_URL: "http://render.example:3001/",
    PUBLIC_URL: "https://patterns.example/base/",
    EDITOR_URL: "https://editor.example",
    DATA_DIR: "/srv/patterns",
    DATABASE_URL: "postgresql://user:pw@db.example:5433/patterns",
    OBJECT_STORE_URL: "s3://key:secret@s3.example/patterns/files?region=eu-central-1",
    JWT_SECRET: secret,
    METRICS_PORT: "9464",
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector.example:4318",
    OTEL_TRACES_SAMPLER_ARG: "0.25",
    ENGINE_BACKEND: "cpu",
    ENGINE_THREADS: "3",
    RENDER_QUEUE_MAX: "9",
    CACHE_MAX_BYTES: "0",
    SHARED_RENDERS_DAYS: "7",
    OUTBOUND_ALLOW: "10.1.0.0/16, fd00::/8,127.0.0.1/32",
    OUTBOUND_ALLOW_HTTP: "true",
    SOURCE_ALLOWED_HOSTS: "cats.example, *.Dogs.Example. ,bücher.example",
    RENDER_TIMEOUT_MS: "5000",
    QUOTAS: '{"trial": {"patterns": 5}}',
    RETENTION: '{"exports": 1, "handoffs": 3}',
    SIGNUPS: "closed",
    SMTP_URL: "smtps://user:pw@mail.example",
    MAIL_FROM: "shop@patterns.example",
    LOG_LEVEL: "debug",
    SERVICE_API_KEY: "pf_something",
    TRUSTED_PROXIES: "2",
    SHUTDOWN_GRACE_MS: "0",
  };
  t.same(readConfig(given), {
    host: "0.0.0.0",
    port: 8080,
    roles: {
      api: true,
      render: true,
      jobs: false,
      forOthers: { port: 3001, url: "http://render.example:3001" },
    },
    metricsPort: 9464,
    tracesSampled: 0.25,
    publicUrl: "https://patterns.example/base",
    editorUrl: "https://editor.example",
    dataDir: "/srv/patterns",
    databaseUrl: given.DATABASE_URL,
    objectStore: {
      endpoint: "https://s3.example",
      publicEndpoint: "https://s3.example",
      region: "eu-central-1",
      bucket: "patterns",
      prefix: "files/",
      credentials: { accessKeyId: "key", secretAccessKey: "secret" },
      isReadOnly: false,
    },
    tokens: { kind: "secret", secret },
    engine: { backend: "cpu", threads: 3, queueMax: 9 },
    outbound: {
      allow: ["10.1.0.0/16", "fd00::/8", "127.0.0.1/32"],
      allowHttp: true,
      sourceHosts: ["cats.example", "*.dogs.example", "xn--bcher-kva.example"],
    },
    renderTimeoutMs: 5000,
    maxConnections: 2000,
    bodyBytes: 2 ** 29,
    requestTimeoutMs: 300_000,
    bodyIdleTimeoutMs: 30_000,
    cacheBytes: 0,
    sharedRendersDays: 7,
    quotas: { ...DEFAULT_QUOTAS, trial: { ...DEFAULT_QUOTAS.trial, patterns: 5 } },
    retention: { exports: 1, batches: 7, deliveries: 30, events: 30, handoffs: 3 },
    signUps: "nobody",
    mail: { url: "smtps://user:pw@mail.example", from: "shop@patterns.example" },
    serviceApiKey: "pf_something",
    logLevel: "debug",
    trustedProxies: 2,
    shutdownGraceMs: 0,
    shutdownDelayMs: 3000,
    diskMinimumFreeBytes: 2 ** 26,
  });
  t.same(readConfig(issuer).tokens, {
    kind: "issuer",
    jwksUrl: issuer.JWT_JWKS_URL,
    issuer: issuer.JWT_ISSUER,
    audience: issuer.JWT_AUDIENCE,
  });
});

t.test("reads quotas from a file", async (t) => {
  const QUOTAS = join(await temporaryFolder(t), "quotas.json");
  await writeFile(QUOTAS, '{"pro": {"api_keys": 3}}');
  const { quotas } = readConfig({ QUOTAS });
  t.same(quotas.pro, { ...DEFAULT_QUOTAS.pro, api_keys: 3 });
  t.same(quotas.agency, DEFAULT_QUOTAS.agency);
});

t.test("without mail sign-ups are loopback-only by default", async (t) => {
  const mail = { SMTP_URL: "smtp://127.0.0.1:25", MAIL_FROM: "a@b.example" };
  const cases: readonly [Record<string, string>, string][] = [
    [{}, "loopback"],
    [{ HOST: "::1" }, "loopback"],
    [{ HOST: "localhost", PUBLIC_URL: "http://localhost:3000" }, "loopback"],
    [{ HOST: "0.0.0.0" }, "nobody"],
    [{ HOST: "::" }, "nobody"],
    [{ HOST: "10.0.0.7" }, "nobody"],
    [{ PUBLIC_URL: "https://patterns.example" }, "nobody"],
    [{ TRUSTED_PROXIES: "1" }, "nobody"],
    [{ HOST: "0.0.0.0", SIGNUPS: "open" }, "anyone"],
    [{ SIGNUPS: "closed" }, "nobody"],
    [{ ...mail, SIGNUPS: "closed" }, "nobody"],
    [{ ...mail, HOST: "0.0.0.0", PUBLIC_URL: "https://patterns.example" }, "anyone"],
  ];
  for (const [env, signUps] of cases) {
    t.equal(readConfig(env).signUps, signUps, JSON.stringify(env));
  }
  t.match(describeSignUps("loopback", false), /this machine only/);
  t.match(describeSignUps("anyone", true), /open to anyone; .*verified/);
  t.match(describeSignUps("nobody", true), /closed: the operator creates accounts$/);
});

t.test("an empty variable counts as unset", async (t) => {
  t.same(readConfig({ PORT: "", DATABASE_URL: " ", JWT_SECRET: "" }), readConfig({}));
});

t.test("accepts connection strings with the driver of another language", async (t) => {
  for (const scheme of ["postgres", "postgresql", "postgresql+psycopg", "postgres+asyncpg"]) {
    const { databaseUrl } = readConfig({ DATABASE_URL: `${scheme}://user:p%40ss@host/db` });
    t.equal(databaseUrl, "postgresql://user:p%40ss@host/db", scheme);
  }
  const { databaseUrl } = readConfig({ DATABASE_URL: "postgresql://h/db?sslmode=verify-full" });
  t.equal(databaseUrl, "postgresql://h/db?sslmode=require");
});

t.test("reports an invalid variable in one line with what was expected", async (t) => {
  const wrong: readonly [Record<string, string>, RegExp][] = [
    [{ PORT: "http" }, /^PORT: expected a whole number from 0 to 65535, got "http"$/],
    [{ PORT: "65536" }, /^PORT: .*, got "65536"$/],
    [{ PORT: "-1" }, /^PORT: /],
    [{ ROLES: "api,web" }, /^ROLES: expected api or render or jobs, got "web"$/],
    [{ ROLES: "render" }, /^RENDER_PORT: expected a port with ROLES=render$/],
    [{ ROLES: "api", RENDER_PORT: "1" }, /^RENDER_PORT: expected none without the role render$/],
    [{ RENDER_URL: "http://a:1" }, /^RENDER_URL: expected none without RENDER_PORT$/],
    [
      { RENDER_PORT: "1", RENDER_URL: "https://a" },
      /^RENDER_URL: expected an http:\/\/ address, got "https:/,
    ],
    [
      { PUBLIC_URL: "patterns.example" },
      /^PUBLIC_URL: expected an http:\/\/ or https:\/\/ address/,
    ],
    [{ EDITOR_URL: "https://e.example/?x=1" }, /^EDITOR_URL: /],
    [
      { ENGINE_BACKEND: "gpu" },
      /^ENGINE_BACKEND: expected auto or webgpu or webasm or cpu, got "gpu"$/,
    ],
    [{ ENGINE_THREADS: "0" }, /^ENGINE_THREADS: /],
    [{ ENGINE_THREADS: "1.5" }, /^ENGINE_THREADS: /],
    [{ RENDER_QUEUE_MAX: "many" }, /^RENDER_QUEUE_MAX: /],
    [{ SHUTDOWN_GRACE_MS: "1s" }, /^SHUTDOWN_GRACE_MS: /],
    [{ DATABASE_URL: "mysql://host/db" }, /^DATABASE_URL: expected postgresql:/],
    [{ DATABASE_URL: "postgresql://host" }, /^DATABASE_URL: /],
    [{ DATABASE_URL: "postgresql://host/db?sslmode=prefer" }, /^DATABASE_URL: sslmode: expected /],
    [{ QUOTAS: '{"trial":{"pattern":5}}' }, /^QUOTAS: \/trial\/pattern: unknown field .*patterns/],
    [{ RETENTION: '{"events":0}' }, /^RETENTION: \/events: .*from 1 to 36500, got 0$/],
    [{ RETENTION: '{"handoffs":2}' }, /^RETENTION: \/handoffs: .*from 3 to /],
    [{ RETENTION: '{"sources":9}' }, /^RETENTION: \/sources: unknown field .*deliveries/],
    [{ QUOTAS: '{"gold":{}}' }, /^QUOTAS: \/gold: unknown field/],
    [{ QUOTAS: '{"pro":{"sources":-1}}' }, /^QUOTAS: \/pro\/sources: .*from 0 to .*got -1$/],
    [{ QUOTAS: '{"pro":' }, /^QUOTAS: expected JSON or the path of a file with it: /],
    [{ QUOTAS: "/no/such/file" }, /^QUOTAS: expected JSON or the path of a file with it: ENOENT/],
    [{ SIGNUPS: "maybe" }, /^SIGNUPS: expected auto or open or closed, got "maybe"$/],
    [{ SMTP_URL: "smtp://mail.example" }, /^SMTP_URL, MAIL_FROM: expected both or neither/],
    [{ SMTP_URL: "http://mail.example", MAIL_FROM: "a@b" }, /^SMTP_URL: expected smtp:/],
    [{ JWT_SECRET: "short" }, /^JWT_SECRET: expected at least 32 characters, got 5$/],
    [{ JWT_ISSUER: "https://id.example" }, /^JWT_JWKS_URL, JWT_ISSUER, JWT_AUDIENCE: /],
    [{ ...issuer, JWT_SECRET: secret }, /^JWT_SECRET: expected none beside JWT_JWKS_URL$/],
    [{ ...issuer, JWT_JWKS_URL: "http://id.example/keys" }, /^JWT_JWKS_URL: expected an https:/],
  ];
  for (const [env, message] of wrong) {
    t.throws(() => readConfig(env), { name: "ConfigError", message }, JSON.stringify(env));
  }
});

t.test("rejects a list with an invalid range or host", async (t) => {
  const ranges = [
    "10.0.0.1",
    "10.0.0.0/33",
    "fd00::/129",
    "10.0.0/8",
    "fe80::1%lo/64",
    "a/8",
    "/8",
  ];
  for (const range of ranges) {
    t.throws(() => readConfig({ OUTBOUND_ALLOW: `127.0.0.1/32,${range}` }), {
      message: `OUTBOUND_ALLOW: expected ranges such as 10.1.0.0/16 or fd00::/8, got "${range}"`,
    });
  }
  const hosts = [
    "https://a.example",
    "a.example:80",
    "a.example/x",
    "*",
    "a.*.example",
    "u@a",
    "[::1]",
  ];
  for (const host of hosts) {
    t.throws(() => readConfig({ SOURCE_ALLOWED_HOSTS: `b.example,${host}` }), {
      message: `SOURCE_ALLOWED_HOSTS: expected names such as example.com or *.example.com, got "${host}"`,
    });
  }
  t.throws(() => readConfig({ OUTBOUND_ALLOW: "10.0.0.0/8," }), { message: /got ""$/ });
  t.throws(() => readConfig({ SOURCE_ALLOWED_HOSTS: "a.example,," }), { message: /got ""$/ });
});

t.test("messages contain no secrets", async (t) => {
  for (const env of [{ DATABASE_URL: "hidden://u:hidden@h" }, { JWT_SECRET: "hidden" }]) {
    t.throws(() => readConfig(env), { message: /^(?!.*hidden)/ });
  }
});

t.test("derives URLs from PUBLIC_URL, or host and port", async (t) => {
  const links = (env: Record<string, string>) => addresses(readConfig(env), 8080);
  t.same(links({}), {
    publicUrl: "http://127.0.0.1:8080",
    editorUrl: "http://127.0.0.1:8080/editor",
  });
  t.match(links({ HOST: "0.0.0.0" }), { publicUrl: "http://localhost:8080" });
  t.match(links({ HOST: "::1" }), { publicUrl: "http://[::1]:8080" });
  t.match(links({ PUBLIC_URL: "https://p.example/" }), {
    publicUrl: "https://p.example",
    editorUrl: "https://p.example/editor",
  });
  t.match(links({ EDITOR_URL: "https://e.example" }), { editorUrl: "https://e.example" });
});

t.test("renders are shared through an object store only", (t) => {
  t.throws(() => readConfig({ SHARED_RENDERS_DAYS: "7" }), {
    name: "ConfigError",
    message: /^SHARED_RENDERS_DAYS: expected OBJECT_STORE_URL/,
  });
  t.end();
});
