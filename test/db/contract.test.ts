/** The database contract on the embedded server; on one of the system: test/soak. */
import t from "tap";
import { testDatabases } from "../helpers/database.ts";
import { contract } from "./contract/index.ts";

contract(t, testDatabases);
