import type { AddressInfo, Server } from "node:net";

/** Returns the port on which a server listens. */
export const portOf = (server: Server): number => (server.address() as AddressInfo).port;
