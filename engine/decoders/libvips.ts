/** sharp, configured for worker threads that each run one job at a time. */
import sharp from "sharp";

// Both settings are process-wide. The pool already runs a worker per core, so a multithreaded decoder
// only slows down other renders, and an AVIF's bytes depend on the number of threads. Workers cache
// decoded sources themselves, so libvips' operation cache would hold them twice.
sharp.concurrency(1);
sharp.cache(false);

export { sharp };
