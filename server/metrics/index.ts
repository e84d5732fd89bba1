/** Metrics for Prometheus, loaded only where they have a port. */
export { createMetrics } from "./create-metrics.ts";
export { serveMetrics } from "./serve-metrics.ts";
