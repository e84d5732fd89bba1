/** Motifs of a source that make good patterns. */
import Type, { type Static } from "typebox";
import { GROUP_NAMES, Motif, Seam } from "../../engine/index.ts";
import { ownerOf } from "./accounts.ts";
import { strict } from "./fields.ts";
import { GroupInput, readGroup } from "./pattern-fields.ts";
import type { Services } from "./services.ts";
import { sourceBytesOf } from "./sources.ts";

/** Most ideas of one request. */
const MAX_IDEAS = 12;

export const IdeaFields = Type.Object(
  {
    count: Type.Integer({
      minimum: 1,
      maximum: MAX_IDEAS,
      default: MAX_IDEAS,
      description: "Number of ideas.",
    }),
    groups: Type.Optional(
      Type.Array(GroupInput, {
        minItems: 1,
        maxItems: GROUP_NAMES.length,
        description: "Groups to choose from. Default: all.",
      }),
    ),
  },
  strict,
);

const Idea = Type.Object(
  {
    group: Type.Enum([...GROUP_NAMES], { description: "Short name of the wallpaper group." }),
    motif: Motif,
    seam: Seam,
    subject: Type.Number({
      minimum: 0,
      maximum: 1,
      description: "Share of what catches the eye in the picture that the motif shows.",
    }),
    mismatch: Type.Number({
      minimum: 0,
      description:
        "How much copies differ where they meet without a mirror: a mean distance in OKLab; 0 if mirrors are everywhere.",
    }),
  },
  {
    ...strict,
    description: "A part of a source under a group, as `POST /patterns` takes it.",
    examples: [
      {
        group: "p4",
        motif: { x: 0.42, y: 0.5, scale: 1.3, rotation: 0 },
        seam: { method: "cut", width: 0.12, preserve_contrast: true },
        subject: 0.71,
        mismatch: 0.083,
      },
    ],
  },
);

export const Ideas = Type.Object({ data: Type.Array(Idea) }, strict);

/**
 * Returns ideas for a source, the best first. Throws NotFound, InvalidInput for an unknown group,
 * SourceMissing, SourceUnreadable, Overloaded, and the reason of `signal`.
 */
export async function ideasOf(
  services: Services,
  accountId: number,
  id: number,
  { count, groups = [...GROUP_NAMES] }: Static<typeof IdeaFields>,
  signal: AbortSignal,
): Promise<Static<typeof Ideas>["data"]> {
  const wanted = [...new Set(groups.map((text, n) => readGroup(text, `/groups/${n}`)))];
  const source = await sourceBytesOf(services, accountId, id);
  const request = { source, count, groups: wanted };
  return [...(await services.engine.ideas(request, signal, ownerOf(accountId)))];
}
