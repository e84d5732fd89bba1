import Type, { type TSchema } from "typebox";
import { PageOf, pageFields, readCursor, showPage } from "../../actions/resources/page.ts";
import { dataTool, type Tool } from "../tool.ts";

const input = {
  ...pageFields,
  limit: Type.Integer({
    ...pageFields.limit,
    default: 100,
    description: "Rows in a page; by default all there are.",
  }),
};

interface Catalogue<Row> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly example: object;
  readonly row: TSchema;
  list(): readonly Row[];
}

/** A tool that lists what there is to choose from, in pages as every list comes. */
export function catalogueTool<Row>({ row, list, ...named }: Catalogue<Row>): Tool {
  return dataTool({
    ...named,
    input,
    output: PageOf(row),
    behaviour: { readOnly: true, idempotent: true },
    async run({ input: { cursor, limit } }) {
      const rows = list();
      const { before: start = 0 } = readCursor(cursor);
      const next = start + limit < rows.length ? start + limit : null;
      return showPage({ rows: rows.slice(start, start + limit), next }, (shown) => shown);
    },
  });
}
