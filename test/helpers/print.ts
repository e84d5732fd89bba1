/** Print requests and complete print files. */
import { Value } from "typebox/value";
import { checkPrint, type Engine, PrintFields, type PrintRequest } from "../../engine/index.ts";
import { type RequestParts, request } from "./engine.ts";

export type PrintParts = Omit<RequestParts, "render"> & {
  readonly print?: Partial<Omit<PrintFields, "aperiodic">> & { readonly aperiodic?: object };
};

/** A print of 60 × 40 mm with defaults for omitted fields. */
export function printOf(fields: PrintParts["print"]): PrintFields {
  return Value.Default(PrintFields, { width_mm: 60, height_mm: 40, ...fields }) as PrintFields;
}

/** A checked request with defaults for omitted fields; the source is a photograph. */
export function printRequest({ print, ...parts }: PrintParts): PrintRequest {
  const { design, source } = request(parts);
  return { design, source, print: checkPrint(design, printOf(print)) };
}

/** The file of a print, with its patch applied. */
export async function printed(engine: Engine, parts: PrintParts): Promise<Buffer> {
  const printing = await engine.print(printRequest(parts));
  const file = Buffer.concat(await Array.fromAsync(printing.body));
  const patch = await printing.patch;
  if (patch !== null) file.set(patch.bytes, patch.at);
  return file;
}
