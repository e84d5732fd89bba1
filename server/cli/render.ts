/** `orbifold render` */
import { createWriteStream } from "node:fs";
import { extname, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import Type from "typebox";
import { InvalidInput } from "../actions/errors.ts";
import { inputCheck } from "../actions/input.ts";
import {
  formatFacts,
  planRender,
  RenderFields,
  renderPicture,
  sizeOf,
} from "../actions/renders.ts";
import { UsageError } from "./arguments.ts";
import { command } from "./command.ts";
import * as options from "./options.ts";

const checkFields = inputCheck(RenderFields, { fillDefaults: true });

/** Returns the format of a file name's extension; undefined where there is none. */
function formatOf(out: string) {
  const extension = extname(out).slice(1).toLowerCase();
  const facts = Object.entries(formatFacts);
  const found = facts.find(([name, format]) => [name, format.extension].includes(extension));
  return found && { format: found[0] };
}

/**
 * Returns the fields of a render from its options and the format of the file name. Throws
 * `UsageError`.
 */
function readFields(text: string, out: string): RenderFields {
  try {
    return checkFields({ ...formatOf(out), ...JSON.parse(text) });
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof InvalidInput)) throw error;
    throw new UsageError(`--fields: ${error.message}`, { cause: error });
  }
}

export const renderCommands = [
  command({
    name: "render",
    summary: "render a pattern to a file",
    options: {
      account: options.account,
      pattern: Type.Integer({ minimum: 1, description: "id of the pattern" }),
      out: Type.String({
        minLength: 1,
        description: "output file; its extension selects the format",
      }),
      fields: Type.Optional(
        Type.String({
          description: 'fields of the render as in the API: \'{"size": 2048, "format": "jpeg"}\'',
        }),
      ),
    },
    run: async (context, { account, pattern, out, fields: given = "{}" }) => {
      const fields = readFields(given, out);
      return context.withServices(async (services) => {
        const plan = await planRender(services, account, pattern, fields);
        const picture = await renderPicture(services, plan, context.signal);
        const file = resolve(out);
        const written = createWriteStream(file);
        await pipeline(picture.read(0, Number.POSITIVE_INFINITY), written);
        const { width, height } = sizeOf(plan.design, plan.fields);
        const bytes = written.bytesWritten;
        return {
          text: `${out}: ${width} × ${height} pixels, ${bytes} bytes`,
          json: { file, width, height, bytes, format: fields.format, strain: picture.strain },
        };
      });
    },
  }),
];
