/** The value of `OBJECT_STORE_URL`. */

/** A bucket of an S3 server, and how it is used. */
export interface ObjectStoreLocation {
  /** URL of the server, without a path. */
  readonly endpoint: string;
  /** The same server for clients, in presigned URLs. */
  readonly publicEndpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** In front of all keys: empty, or with a slash at the end. */
  readonly prefix: string;
  /** Null: those of the SDK's default provider chain. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | null;
  /** Whether nothing is written or deleted there. */
  readonly isReadOnly: boolean;
}

const FORM = "s3://KEY:SECRET@host:port/bucket/prefix?region=…";

const OPTIONS = ["region", "tls", "public", "readonly"];

/** Throws unless `expected` holds. The URL is never repeated: it contains a secret. */
function check(holds: boolean, expected: string): asserts holds {
  if (!holds) throw new Error(`expected ${expected}`);
}

function readFlag(options: URLSearchParams, name: string, fallback: boolean): boolean {
  const given = options.get(name) ?? String(fallback);
  check(given === "true" || given === "false", `${name}=true or ${name}=false`);
  return given === "true";
}

function readPublicEndpoint(given: string): string {
  const url = URL.parse(given);
  check(
    url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`,
    "public=https://host, without user, path and what follows",
  );
  return url.origin;
}

/** Parses an object store's URL. Throws an Error that says what was expected. */
export function objectStoreUrl(given: string): ObjectStoreLocation {
  const url = URL.parse(given);
  check(
    url?.protocol === "s3:" && url.hostname !== "",
    `${FORM}, with the key and the secret percent-encoded`,
  );
  const [bucket = "", ...folders] = url.pathname.slice(1).replace(/\/$/, "").split("/");
  check(/^[a-z0-9][a-z0-9._-]{1,62}$/i.test(bucket), `a bucket's name, as in ${FORM}`);
  const prefix = folders.map((folder) => `${decodeURIComponent(folder)}/`).join("");
  check(/^([\w.-]+\/)*$/.test(prefix), "a prefix of letters, digits, dots, dashes and slashes");
  const options = url.searchParams;
  for (const name of options.keys()) check(OPTIONS.includes(name), `${OPTIONS.join(", ")} after ?`);
  check(Boolean(url.username) === Boolean(url.password), "both a key and a secret, or neither");
  const scheme = readFlag(options, "tls", true) ? "https" : "http";
  const endpoint = `${scheme}://${url.host}`;
  return {
    endpoint,
    publicEndpoint: readPublicEndpoint(options.get("public") ?? endpoint),
    region: options.get("region") ?? "us-east-1",
    bucket,
    prefix,
    credentials: url.username
      ? {
          accessKeyId: decodeURIComponent(url.username),
          secretAccessKey: decodeURIComponent(url.password),
        }
      : null,
    isReadOnly: readFlag(options, "readonly", false),
  };
}
