/** The environment of peers that are processes of their own: the bench's, without the memory settings of `npm start`. */
import { MEMORY_VARIABLES } from "../harness/started-server.ts";

export const peerEnvironment = (): NodeJS.ProcessEnv => ({
  ...process.env,
  ...Object.fromEntries(Object.keys(MEMORY_VARIABLES).map((name) => [name, undefined])),
});
