/** tap runs this before the first test file: all files of the run share a PostgreSQL. */
import { startServerFor } from "./database-servers.ts";

startServerFor(process.ppid);
