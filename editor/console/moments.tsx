import { formatDate } from "../shared/messages.ts";

/** A moment of the API in the reader's own time. */
export const Moment = ({ at }: { readonly at: string }) => (
  <time dateTime={at}>{formatDate(at, { dateStyle: "medium", timeStyle: "short" })}</time>
);
