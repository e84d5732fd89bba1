/** `orbifold storage` */
import Type from "typebox";
import { moveStorage, STORAGE_PLACES } from "../actions/storage.ts";
import { command } from "./command.ts";

/** Lines of progress are at least so far apart. */
const PROGRESS_MS = 2000;

export const storageCommands = [
  command({
    name: "storage move",
    summary: "move sources, mockups and exports, which may be in use, to the object store or back",
    options: {
      to: Type.Enum([...STORAGE_PLACES], {
        description: "s3: the bucket of OBJECT_STORE_URL; database: PostgreSQL",
      }),
    },
    run: async (context, { to }) => {
      let printed = Number.NEGATIVE_INFINITY;
      const moved = await moveStorage(await context.database(), to, context.signal, (progress) => {
        const { kind, moved, total } = progress;
        if (moved < total && performance.now() - printed < PROGRESS_MS) return;
        printed = performance.now();
        context.print(`${kind}: ${moved} of ${total}`);
      });
      const counts = Object.entries(moved).map(([kind, count]) => `${count} ${kind}`);
      return { text: `moved to ${to}: ${counts.join(", ")}`, json: { to, moved } };
    },
  }),
];
