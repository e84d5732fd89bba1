/** All commands. */
import { accountCommands } from "./accounts.ts";
import { UsageError } from "./arguments.ts";
import { backupCommands } from "./backups.ts";
import type { Command } from "./command.ts";
import { creditCommands } from "./credits.ts";
import { healthCommands } from "./health.ts";
import { keyCommands } from "./keys.ts";
import { listCommands } from "./listings.ts";
import { renderCommands } from "./render.ts";
import { serviceCommands } from "./service.ts";
import { storageCommands } from "./storage.ts";

/** In the order in which the help lists them. */
export const COMMANDS: readonly Command[] = [
  ...serviceCommands,
  ...healthCommands,
  ...backupCommands,
  ...storageCommands,
  ...accountCommands,
  ...creditCommands,
  ...keyCommands,
  ...listCommands,
  ...renderCommands,
];

/**
 * Returns the command that the arguments begin with, and the remaining arguments. Throws
 * `UsageError`.
 */
export function findCommand(args: readonly string[]): { command: Command; rest: string[] } {
  const firstOption = args.findIndex((arg) => arg.startsWith("-"));
  const words = firstOption < 0 ? args : args.slice(0, firstOption);
  for (const command of COMMANDS) {
    const length = command.name.split(" ").length;
    if (words.slice(0, length).join(" ") === command.name) {
      return { command, rest: args.slice(length) };
    }
  }
  const known = COMMANDS.map((command) => command.name).join(", ");
  throw new UsageError(`expected one of ${known}; got ${words.join(" ") || "no command"}`);
}
