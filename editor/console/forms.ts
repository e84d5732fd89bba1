/** Returns the fields of a submitted form, which the page sends itself. */
export function fieldsOf(event: SubmitEvent): Record<string, string> {
  event.preventDefault();
  const fields = [...new FormData(event.target as HTMLFormElement)];
  return Object.fromEntries(fields.map(([name, value]) => [name, String(value)]));
}
