/** Raised by hand whenever the same recipe gives other pixels or other bytes. */
export const ENGINE_VERSION = "13";
