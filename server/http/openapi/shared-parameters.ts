/** Parameters that several operations have, which the document holds once. */
import type { parametersOf } from "./parameters.ts";

type Parameter = ReturnType<typeof parametersOf>[number];

interface Parameterized {
  parameters: readonly (Parameter | { readonly $ref: string })[];
}

/**
 * Replaces each parameter that occurs more than once among the operations by a reference. Returns
 * these parameters by their names in the document: their own, with a number where two differ.
 */
export function shareParameters(operations: readonly Parameterized[]): Record<string, Parameter> {
  const texts = operations.flatMap(({ parameters }) =>
    parameters.map((one) => JSON.stringify(one)),
  );
  const repeated = new Set(texts.filter((text, index) => texts.indexOf(text) !== index));
  const shared: Record<string, Parameter> = {};
  const names = new Map<string, string>();
  for (const text of repeated) {
    const parameter: Parameter = JSON.parse(text);
    const taken = Object.values(shared).filter(({ name }) => name === parameter.name).length;
    const name = taken === 0 ? parameter.name : `${parameter.name}-${taken + 1}`;
    shared[name] = parameter;
    names.set(text, name);
  }
  for (const operation of operations) {
    operation.parameters = operation.parameters.map((parameter) => {
      const name = names.get(JSON.stringify(parameter));
      return name === undefined ? parameter : { $ref: `#/components/parameters/${name}` };
    });
  }
  return shared;
}
