/** sharp, set up for threads that each do one thing at a time. */
import sharp from "sharp";

// Both settings are the whole process's. The pool already gives every core its own worker, so a
// decoder that splits its work over threads only takes them from other renders, and an AVIF's very
// bytes depend on how many had a part in it. A source is decoded once and kept by its worker, so
// libvips' cache of operations would hold it twice.
sharp.concurrency(1);
sharp.cache(false);

export { sharp };
