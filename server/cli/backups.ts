/** `orbifold backup`, `orbifold restore` and `orbifold skip-ids` */
import { resolve } from "node:path";
import Type from "typebox";
import { type Backup, command } from "./command.ts";

const folder = (description: string) => Type.String({ minLength: 1, description });

const size = ({ files, bytes }: Backup) => `${files} files, ${Math.ceil(bytes / 1e6)} MB`;

export const backupCommands = [
  command({
    name: "backup",
    summary: "copy the embedded database, which may be in use, to a new folder",
    options: { to: folder("folder to create; it will hold all secrets") },
    run: async (context, { to }) => {
      const path = resolve(to);
      const backup = await context.backUp(path);
      return { text: `backed up to ${path}: ${size(backup)}`, json: { ...backup, folder: path } };
    },
  }),
  command({
    name: "restore",
    summary: "make the embedded database of a DATA_DIR that has none from a backup",
    options: { from: folder("folder that orbifold backup created") },
    run: async (context, { from }) => {
      const path = resolve(from);
      const backup = await context.restore(path);
      return {
        text: `restored ${path}, made at ${backup.made}: ${size(backup)}`,
        json: { ...backup, folder: path },
      };
    },
  }),
  command({
    name: "skip-ids",
    summary: "give no id twice after a restore by PostgreSQL's tools; run it before serve",
    options: {},
    run: async (context) => {
      const skipped = await (await context.database()).skipIds();
      return { text: `new ids are ${skipped.toLocaleString("en")} higher`, json: { skipped } };
    },
  }),
];
