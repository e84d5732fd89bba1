/**
 * A process that uses the embedded database in a given folder: reports when it is open, answers
 * queries, and closes on request.
 */
import { openDatabase } from "../../db/index.ts";

// Like a server that drains first.
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
