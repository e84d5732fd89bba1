/**
 * Reserves standard output for the protocol: other output of this process goes to standard error.
 * Imported before anything that might print while it loads.
 */
import { Writable } from "node:stream";

const { stdout, stderr } = process;
const write = stdout.write.bind(stdout);

/** A stream to the real standard output, with its errors. */
export const protocolOutput = new Writable({
  write: (chunk: Buffer, _encoding, done) => {
    write(chunk, done);
  },
});

stdout.on("error", (error) => protocolOutput.destroy(error));
stdout.write = stderr.write.bind(stderr);
