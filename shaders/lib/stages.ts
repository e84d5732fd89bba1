/** The shared stages of kernels, for their `helpers`. */
import type { Helper } from "../kernel.ts";
import * as noise from "./noise.ts";
import * as pack from "./pack.ts";
import * as paint from "./paint.ts";
import * as source from "./source.ts";

export const stages: readonly Helper[] = [noise, pack, paint, source].flatMap((file) =>
  Object.values(file),
);
