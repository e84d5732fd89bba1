/** A session as the person who began it sees it. */
import Type, { type Static } from "typebox";
import type { Session as Started } from "../session.ts";
import { Id, Moment, strict } from "./fields.ts";

export const Session = Type.Object(
  {
    token: Type.String({
      examples: ["eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiI0In0.c2lnbmF0dXJl"],
      description: "A person's token (JWT), to be sent as a bearer token.",
    }),
    expires_at: Moment,
    account_id: Id,
  },
  { ...strict, description: "What a person calls with." },
);

/** The session as it is shown. */
export function showSession({ account, token, expiresAt }: Started): Static<typeof Session> {
  return { token, expires_at: expiresAt.toISOString(), account_id: account.id };
}
