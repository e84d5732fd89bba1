/** Raised by hand whenever the same recipe gives other pixels or other bytes. */
export const ENGINE_VERSION = "23";

/** Returns the version of an engine that runs kernels on this backend, see `Engine`. */
export const versionOf = (backend: string): string => `${ENGINE_VERSION}-${backend}`;
