const FORMAT = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/** A moment of the API in the reader's own time. */
export const Moment = ({ at }: { readonly at: string }) => (
  <time dateTime={at}>{FORMAT.format(new Date(at))}</time>
);
