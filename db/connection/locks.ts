/** Advisory locks, as pairs for `pg_advisory_lock(int, int)`; the first number spells "orbi". */

/** Held, shared, by every process that uses the embedded database, as long as it does. */
export const PRESENCE_LOCK = [0x6f726269, 1];

/** Held while a migration is applied. */
export const MIGRATION_LOCK = [0x6f726269, 2];

/** The first number of the locks of processes; the second one is the process's. */
export const PROCESS_LOCK = 0x6f726263;
