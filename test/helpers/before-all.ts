/** tap runs this before the first test file: all files of the run share a PostgreSQL. */
import "./temporary-files.ts";
import { startServerFor } from "./database-servers.ts";

startServerFor(process.ppid);
