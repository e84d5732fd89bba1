import { setFlagsFromString } from "node:v8";
import { type ApiClient, openApi } from "./api-client.ts";
import { type ServerSettings, type StartedServer, startServer } from "./started-server.ts";

/**
 * Percent by which the heap of the clients may grow before V8 marks it. They share the cores with the server that they
 * measure; by default their heap, which has pictures beside it, was marked five times a second, in a third of the time.
 */
const HEAP_GROWTH = 500;

/** Starts a server and prepares a case with that many keys; stops the server on failure. */
export async function onServer<Prepared>(
  keys: number,
  prepare: (server: StartedServer, api: ApiClient) => Promise<Prepared>,
  settings?: ServerSettings,
): Promise<Prepared> {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH}`);
  const server = await startServer(settings);
  try {
    return await prepare(server, await openApi(server, keys));
  } catch (error) {
    await server.stop();
    throw error;
  }
}
