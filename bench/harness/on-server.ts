import { type ApiClient, openApi } from "./api-client.ts";
import { type ServerSettings, type StartedServer, startServer } from "./started-server.ts";

/** Starts a server and prepares a case with that many keys; stops the server on failure. */
export async function onServer<Prepared>(
  keys: number,
  prepare: (server: StartedServer, api: ApiClient) => Promise<Prepared>,
  settings?: ServerSettings,
): Promise<Prepared> {
  const server = await startServer(settings);
  try {
    return await prepare(server, await openApi(server, keys));
  } catch (error) {
    await server.stop();
    throw error;
  }
}
