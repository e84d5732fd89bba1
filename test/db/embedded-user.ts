/**
 * A process that uses the embedded database in the folder that it is given: says when it has it,
 * answers questions, and closes when it is told to.
 */
import { openDatabase } from "../../db/index.ts";

// As a server does that drains first.
process.on("SIGINT", () => undefined);

const tell = (message: unknown) => process.send?.(message);

try {
  const db = await openDatabase({ dataDir: process.argv[2] ?? "" });
  process.on("message", async (question) => {
    if (question === "close") {
      await db.close();
      process.disconnect();
    } else {
      tell({ accounts: (await db.accounts.list()).length });
    }
  });
  tell({ isNew: db.isNew });
} catch (error) {
  tell({ error: (error as Error).message });
  process.disconnect();
}
