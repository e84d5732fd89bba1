/**
 * Standard output for the protocol alone: whatever else this process prints goes to standard error.
 * Imported before anything that might print while it loads.
 */
import { Writable } from "node:stream";

const { stdout, stderr } = process;
const write = stdout.write.bind(stdout);

/** What is written here reaches standard output; an error of it is an error here. */
export const protocolOutput = new Writable({
  write: (chunk: Buffer, _encoding, done) => {
    write(chunk, done);
  },
});

stdout.on("error", (error) => protocolOutput.destroy(error));
stdout.write = stderr.write.bind(stderr);
