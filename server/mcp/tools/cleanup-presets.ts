import Type from "typebox";
import { CLEAN_UP_MAXIMUM, cleanUpPresets } from "../../actions/clean-up-presets.ts";
import { Id, strict } from "../../actions/resources/fields.ts";
import { dataTool } from "../tool.ts";

export const cleanupPresets = dataTool({
  name: "cleanup_presets",
  title: "Remove unused generated sources",
  description: `Removes the sources that generate_preset made and that no pattern uses, also those made a moment ago, the oldest first and at most ${CLEAN_UP_MAXIMUM} a call. Uploads, pictures from the web, patterns and what they stand on stay. Links to renders of deleted patterns end with their source. Call it with dry_run true first to see which would go; it cannot be undone.`,
  input: {
    dry_run: Type.Boolean({
      default: false,
      description: "true: only say which sources would be removed.",
    }),
  },
  output: Type.Object(
    {
      sources: Type.Array(Id, {
        description: "Numbers of the sources that were removed, or with dry_run would be.",
      }),
      deleted: Type.Integer({ minimum: 0, description: "How many were removed." }),
    },
    strict,
  ),
  behaviour: { destructive: true, idempotent: true },
  example: { dry_run: true },
  async run({ services, account, input: { dry_run } }) {
    const gone = await cleanUpPresets(services, account.id, dry_run);
    return { sources: gone.map(({ id }) => id), deleted: dry_run ? 0 : gone.length };
  },
});
