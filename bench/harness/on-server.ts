import { type ApiClient, openApi } from "./api-client.ts";
import { type ServerSettings, type StartedServer, startServer } from "./started-server.ts";

/** Prepares something on a started server, with so many keys; stops the server where that fails. */
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
