/**
 * `npm run imports`: checks the imports of this tree, or of the folder given as argument.
 * Prints each forbidden import with its position, the violated rules and their reasons, and exits with 1.
 */

import { findViolations } from "./imports/find-violations.ts";
import { importRules } from "./imports/import-rules.ts";
import { readImports } from "./imports/read-imports.ts";

const graph = readImports(process.argv[2] ?? ".");
const violations = findViolations(graph, importRules);
for (const { file, line, message } of violations) console.error(`${file}:${line} ${message}`);
console.log(`${graph.size} files, ${violations.length} forbidden imports`);
process.exitCode = violations.length > 0 ? 1 : 0;
