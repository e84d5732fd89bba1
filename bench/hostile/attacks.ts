/** Attacks by a free account. Each ends by itself and resolves with a status. */
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import type { HostileFile } from "./pictures.ts";

export interface Attacker {
  /** The server's address, such as `http://127.0.0.1:41234`. */
  readonly url: string;
  readonly key: string;
  /** A pattern of the attacker's own account. */
  readonly pattern: number;
}

/** The status of the response; `cut` if the server or the attacker closed the connection first. */
export type Outcome = number | "cut";

export interface Attack {
  readonly name: string;
  run(attacker: Attacker, random: () => number): Promise<Outcome>;
}

const MEGABYTE = 2 ** 20;

/** An attacker's time limit for a request, far above every deadline of the server. */
const PATIENCE_MS = 150_000;

async function call(
  { url, key }: Attacker,
  path: string,
  init: RequestInit & { readonly leaveAfterMs?: number },
): Promise<Outcome> {
  const { leaveAfterMs = PATIENCE_MS, ...rest } = init;
  const headers = { "x-api-key": key, ...rest.headers };
  try {
    const signal = AbortSignal.timeout(leaveAfterMs);
    const response = await fetch(`${url}/api/v1${path}`, { ...rest, headers, signal });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return "cut";
  }
}

function form(file: HostileFile, fields: Readonly<Record<string, string>> = {}): FormData {
  const data = new FormData();
  data.append("file", new Blob([new Uint8Array(file.bytes)]), file.name);
  for (const [name, value] of Object.entries(fields)) data.append(name, value);
  return data;
}

const json = (body: string | Uint8Array<ArrayBuffer>) => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body,
});

/** Sends a head and `bytes` of a longer announced body, and disconnects after a while. */
async function halfSent(
  { url, key }: Attacker,
  announced: number,
  bytes: number,
): Promise<Outcome> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const reply = { text: "" };
  socket.on("data", (data) => {
    reply.text += data.toString("latin1");
  });
  socket.on("error", () => undefined);
  await once(socket, "connect").catch(() => undefined);
  const head = [
    "POST /api/v1/sources/upload HTTP/1.1",
    "Host: localhost",
    `X-API-Key: ${key}`,
    "Content-Type: application/json",
    `Content-Length: ${announced}`,
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n{"data":"`);
  socket.write(Buffer.alloc(bytes, "A"));
  await Promise.race([once(socket, "close").catch(() => undefined), pause(20_000)]);
  socket.destroy();
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(reply.text)?.[1] ?? 0) || "cut";
}

/** Sends a head a few bytes at a time, without end. */
async function slowHead({ url }: Attacker): Promise<Outcome> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => undefined);
  await once(socket, "connect").catch(() => undefined);
  socket.write("GET /api/v1/groups HTTP/1.1\r\nHost: localhost\r\n");
  for (let line = 0; line < 20 && socket.writable; line++) {
    socket.write(`X-${line}: ${line}\r\n`);
    await pause(1000);
  }
  socket.destroy();
  return "cut";
}

/**
 * Renders whose cost is out of proportion to their request; `random` makes each of them distinct.
 */
const renders: readonly ((random: () => number) => object)[] = [
  (random) => ({ ...sheet(20_000, random), rotation: 90 * random() }),
  (random) => ({ ...sheet(8192, random), surface_effects: [{ id: "grain" }, { id: "paper" }] }),
  (random) => ({ ...sheet(4096, random), format: "avif" }),
  (random) => ({
    mode: "aperiodic",
    size: 4096,
    aperiodic: { kind: "spectre", seed: Math.floor(random() * 1e6) },
  }),
];

const sheet = (side: number, random: () => number) => ({
  mode: "surface",
  surface_width: side,
  surface_height: side,
  offset: { x: 100 * random(), y: 100 * random() },
});

/** All attacks. Uploads are also certified, which decodes them again. */
export function attacksOf(files: readonly HostileFile[]): readonly Attack[] {
  const padded = Buffer.from(`{"data":"${"A=".repeat(22 * MEGABYTE)}"}`);
  const deep = Buffer.from(`{"data":${"[".repeat(MEGABYTE)}`);
  const message = Buffer.from(
    JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: {
        name: "upload_source_from_base64",
        arguments: { data: "A=".repeat(7 * MEGABYTE) },
      },
    }),
  );
  return [
    ...files.map((file) => ({
      name: `upload ${file.name}`,
      run: (attacker: Attacker) =>
        call(attacker, "/sources/upload", { method: "POST", body: form(file) }),
    })),
    ...files.map((file) => ({
      name: `certify ${file.name}`,
      run: (attacker: Attacker) =>
        call(attacker, "/validate", { method: "POST", body: form(file, { group: "p4m" }) }),
    })),
    {
      name: "44 MiB of padding as base64",
      run: (attacker) => call(attacker, "/sources/upload", json(padded)),
    },
    {
      name: "deeply nested JSON",
      run: (attacker) => call(attacker, "/sources/upload", json(deep)),
    },
    {
      name: "14 MiB MCP message",
      run: (attacker) => call(attacker, "/mcp/execute", json(message)),
    },
    {
      name: "14 MiB MCP message, streamable",
      run: (attacker) =>
        call(attacker, "/mcp", {
          ...json(message),
          headers: {
            "content-type": "application/json",
            accept: "application/json, text/event-stream",
          },
        }),
    },
    { name: "half-sent body", run: (attacker) => halfSent(attacker, 47 * MEGABYTE, 10 * MEGABYTE) },
    { name: "slow head", run: slowHead },
    {
      name: "expensive render",
      run: (attacker, random) => {
        const make = renders[Math.floor(random() * renders.length)];
        const body = JSON.stringify(make?.(random) ?? {});
        return call(attacker, `/patterns/${attacker.pattern}/render`, json(body));
      },
    },
    {
      name: "expensive render, left alone",
      run: (attacker, random) => {
        const make = renders[Math.floor(random() * renders.length)];
        const body = JSON.stringify(make?.(random) ?? {});
        const leaveAfterMs = 50 + 2000 * random();
        return call(attacker, `/patterns/${attacker.pattern}/render`, {
          ...json(body),
          leaveAfterMs,
        });
      },
    },
    {
      name: "certificate of a tile",
      run: (attacker) =>
        call(attacker, `/patterns/${attacker.pattern}/validate`, json('{"size": 2048}')),
    },
    {
      name: "all mockups",
      run: (attacker) => call(attacker, `/patterns/${attacker.pattern}/mockups`, json("{}")),
    },
    {
      name: "large print",
      run: (attacker) =>
        call(
          attacker,
          `/patterns/${attacker.pattern}/export`,
          json('{"width_mm": 1500, "height_mm": 1500, "dpi": 300, "format": "png"}'),
        ),
    },
  ];
}
