/**
 * Rules for migrations, so that processes of the version before go on while and after they are applied. They read SQL
 * as text: what a function does, and what an update takes, is for the review.
 */

const LAST_LINE = /^-- Contract: not used since \d+\.\d+\.\d+$/m;

/** Statements without comments and bodies of functions, in lower case, with single spaces. */
function statementsOf(sql: string): string[] {
  return sql
    .replace(/--.*$/gm, "")
    .replace(/(\$\w*\$).*?\1/gs, "''")
    .replace(/'(?:[^']|'')*'/g, "''")
    .toLowerCase()
    .split(";")
    .map((statement) => statement.replace(/\s+/g, " ").trim())
    .filter(Boolean);
}

/** Splits the actions of `alter table` at commas outside of brackets. */
function actionsOf(statement: string): string[] {
  const actions = [""];
  let depth = 0;
  for (const character of statement) {
    if (character === "(") depth++;
    if (character === ")") depth--;
    if (character === "," && depth === 0) actions.push("");
    else actions[actions.length - 1] += character;
  }
  return actions.map((action) => action.trim());
}

const ALTER = /^alter table (?:if exists )?(?:only )?(\w+) (.*)$/;
const ADD_COLUMN =
  /^add (?:column )?(?:if not exists )?(?!constraint|check|unique|primary|foreign)(\w+) (.*)$/;

/** What a migration adds. */
interface Added {
  readonly tables: ReadonlySet<string>;
  /** `table.column` */
  readonly columns: ReadonlySet<string>;
}

function addedBy(statements: readonly string[]): Added {
  const tables = new Set<string>();
  const columns = new Set<string>();
  for (const statement of statements) {
    const created = /^create (?:unlogged )?table (?:if not exists )?(\w+)/.exec(statement)?.[1];
    if (created) tables.add(created);
    const [, table, rest = ""] = ALTER.exec(statement) ?? [];
    for (const action of actionsOf(rest)) {
      const column = ADD_COLUMN.exec(action)?.[1];
      if (table && column) columns.add(`${table}.${column}`);
    }
  }
  return { tables, columns };
}

const REMOVALS: readonly [pattern: RegExp, problem: string][] = [
  [/^drop (?!index|trigger)/, "drops what an older version may use"],
  [/^truncate /, "deletes what an older version may use"],
  [/^alter (?!table)\w+ .* rename /, "renames what an older version may use"],
];

const ALTERATIONS: readonly [pattern: RegExp, problem: string][] = [
  [/^rename /, "renames what an older version uses"],
  [/^drop (?:column )?(?!constraint)/, "drops a column that an older version may use"],
  [/^alter .* type /, "changes a type, which rewrites the table and may break an older version"],
  [/^alter .* set not null/, "refuses rows that an older version writes"],
  [/^alter .* drop default/, "refuses rows that an older version writes"],
];

/** The problem of an action of `alter table` on a table that was there before; null if it has none. */
function problemOfAction(action: string): string | null {
  for (const [pattern, problem] of ALTERATIONS) if (pattern.test(action)) return problem;
  const definition = ADD_COLUMN.exec(action)?.[2];
  if (definition !== undefined) {
    const isRequired =
      /\bnot null\b/.test(definition) && !/\b(default|generated)\b/.test(definition);
    if (isRequired) return "adds a column that an older version does not fill";
    if (/\bstored\b/.test(definition)) return "adds a stored column, which rewrites the table";
    return null;
  }
  const addsConstraint = /^add (constraint \w+ )?(check|foreign key|unique|primary key|exclude)/;
  if (addsConstraint.test(action) && !/ not valid$/.test(action)) {
    return "adds a constraint that is not `not valid`: the table is locked while its rows are read";
  }
  return null;
}

const CREATE_INDEX =
  /^create (unique )?index (concurrently )?(if not exists )?\w* ?on (?:only )?(\w+)(?: using \w+)? ?\(([^)]*)/;

function problemOfIndex(statement: string, { tables, columns }: Added): string | null {
  const [, unique, concurrently, ifMissing, table = "", list = ""] =
    CREATE_INDEX.exec(statement) ?? [];
  if (concurrently) return "creates an index concurrently, which no transaction can";
  if (table === "" || tables.has(table)) return null;
  const isOfNewColumns = list
    .split(",")
    .every((column) => columns.has(`${table}.${column.trim().split(" ")[0]}`));
  if (isOfNewColumns) return null;
  if (unique) return "refuses rows that an older version writes";
  return ifMissing
    ? null
    : "creates an index without `if not exists`, so operators cannot create it concurrently before the upgrade";
}

/** Whether deleting a row that an older version knows fails because of rows that it does not know. */
function blocksDeletion(statement: string, { tables }: Added): boolean {
  const references = statement.matchAll(
    /\breferences (\w+)(?: \([^)]*\))?((?: on \w+ (?:set null|\w+))*)/g,
  );
  return [...references].some(
    ([, table = "", actions = ""]) =>
      !tables.has(table) && !/ on delete (cascade|set null)/.test(actions),
  );
}

/** Returns what a migration must not do, in words; empty if it keeps the rules. */
export function problemsOf(name: string, sql: string): string[] {
  if (name.endsWith(".contract.sql")) {
    return LAST_LINE.test(sql) ? [] : ["lacks the line `-- Contract: not used since X.Y.Z`"];
  }
  const statements = statementsOf(sql);
  const added = addedBy(statements);
  return statements.flatMap((statement) => {
    const [, table = "", rest = ""] = ALTER.exec(statement) ?? [];
    const actions = table === "" || added.tables.has(table) ? [] : actionsOf(rest);
    return [
      ...REMOVALS.map(([pattern, problem]) => (pattern.test(statement) ? problem : null)),
      ...actions.map(problemOfAction),
      problemOfIndex(statement, added),
      blocksDeletion(statement, added)
        ? "references a table without `on delete cascade`: an older version could not delete its rows"
        : null,
    ].filter((problem) => problem !== null);
  });
}
