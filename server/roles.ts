/** What a process does for the service. */
import { ConfigError } from "./config-parsers.ts";

/** `api`: answers requests; `render`: renders in threads of its own; `jobs`: runs background jobs. */
export const NODE_ROLES = ["api", "render", "jobs"] as const;
export type NodeRole = (typeof NODE_ROLES)[number];

export interface Roles {
  readonly api: boolean;
  readonly render: boolean;
  readonly jobs: boolean;
  /** Where it renders for other processes: a port of HOST, and its URL for them or null; null: it does not. */
  readonly forOthers: { readonly port: number; readonly url: string | null } | null;
}

interface Variables {
  readonly ROLES: readonly NodeRole[];
  readonly RENDER_PORT: number | null;
  readonly RENDER_URL: string | null;
}

/** Throws `ConfigError` for a process that would do nothing, and for variables that would. */
export function readRoles({ ROLES, RENDER_PORT, RENDER_URL }: Variables): Roles {
  const [api, render, jobs] = NODE_ROLES.map((role) => ROLES.includes(role)) as [
    boolean,
    boolean,
    boolean,
  ];
  if (!api && !jobs && RENDER_PORT === null) {
    throw new ConfigError("RENDER_PORT: expected a port with ROLES=render");
  }
  if (!render && RENDER_PORT !== null) {
    throw new ConfigError("RENDER_PORT: expected none without the role render");
  }
  if (RENDER_URL !== null && RENDER_PORT === null) {
    throw new ConfigError("RENDER_URL: expected none without RENDER_PORT");
  }
  const forOthers = RENDER_PORT === null ? null : { port: RENDER_PORT, url: RENDER_URL };
  return { api, render, jobs, forOthers };
}

/** Describes the roles of a process that has not all of them. */
export function describeRoles(roles: Roles): string {
  const its = NODE_ROLES.filter((role) => roles[role]);
  return its.length === NODE_ROLES.length ? "" : `${its.join(", ")}; `;
}
