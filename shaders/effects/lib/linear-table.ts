/** The sRGB curve as a table for kernels. */
import { decodeChannel } from "../../lib/colour.ts";

/** Linear light, 0…1, of the bytes 0…255. */
export const LINEAR = Float32Array.from({ length: 256 }, (_, byte) => decodeChannel(byte / 255));
