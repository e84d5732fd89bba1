/** Lists of the API, page by page. */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { attempt, status } from "../shared/attempt.ts";
import { t } from "../shared/messages.ts";
import { inWords } from "../shared/problem-words.ts";
import { fetchJson } from "./session.ts";

interface Page<Row> {
  readonly data: readonly Row[];
  readonly next_cursor: string | null;
}

/** Rows of a page that the API gives at most. */
const AT_MOST = 100;

export interface Paged<Row> {
  /** Null until they are loaded. */
  readonly rows: readonly Row[] | null;
  readonly hasMore: boolean;
  more(): void;
  /** Loads all rows again that are shown. A failure is shown, and leaves them. */
  reload(): Promise<void>;
  /** Puts rows before all others. */
  add(rows: readonly Row[]): void;
  /** Replaces the row with this id, or takes it out. */
  put(id: number, row: Row | null): void;
}

/**
 * Loads the first rows of a list, and more with each wish for them; from the start when the path
 * changes.
 * @param path with its filters as a query, if it has any
 * @param size rows at first, and with each wish
 * @param done another number when the rows have to be loaded again
 */
export function usePaged<Row extends { readonly id: number | string }>(
  path: string,
  size: number,
  done = 0,
): Paged<Row> {
  const rows = useSignal<readonly Row[] | null>(null);
  const next = useSignal<string | null>(null);
  /** Counts loads: only the last one that began is shown. */
  const loads = useRef(0);
  const isGrowing = useRef(false);

  const fetchPage = (limit: number, cursor: string | null) => {
    const query = new URLSearchParams({ limit: String(limit), ...(cursor && { cursor }) });
    return fetchJson<Page<Row>>("GET", `${path}${path.includes("?") ? "&" : "?"}${query}`);
  };
  const show = (load: number, found: readonly Row[], cursor: string | null) => {
    if (load !== loads.current) return;
    rows.value = found;
    next.value = cursor;
  };

  const loadAll = async () => {
    const load = ++loads.current;
    try {
      const count = Math.max(size, rows.value?.length ?? 0);
      const found: Row[] = [];
      let cursor: string | null = null;
      do {
        const page: Page<Row> = await fetchPage(Math.min(AT_MOST, count - found.length), cursor);
        found.push(...page.data);
        cursor = page.next_cursor;
      } while (cursor !== null && found.length < count);
      show(load, found, cursor);
    } catch (error) {
      status.value = t("shell.listFailed", { problem: inWords(error) });
    }
  };

  const reload = async () => {
    // What is loaded then is newer.
    if (!isGrowing.current) await loadAll();
  };

  const more = () =>
    void attempt({ name: t("shell.loadingMore"), subject: path }, async () => {
      const load = ++loads.current;
      isGrowing.current = true;
      try {
        const page = await fetchPage(size, next.value);
        show(load, [...(rows.value ?? []), ...page.data], page.next_cursor);
      } finally {
        isGrowing.current = false;
      }
    });

  useEffect(() => {
    rows.value = null;
    next.value = null;
    void loadAll();
  }, [path]);
  useEffect(() => {
    if (done > 0) void reload();
  }, [done]);

  return {
    rows: rows.value,
    hasMore: next.value !== null,
    more,
    reload,
    add(newest) {
      rows.value = [...newest, ...(rows.value ?? [])];
    },
    put(id, row) {
      const others = row === null ? [] : [row];
      rows.value = rows.value?.flatMap((one) => (one.id === id ? others : [one])) ?? null;
    },
  };
}

interface ShowMoreProps {
  readonly list: Pick<Paged<unknown>, "hasMore" | "more">;
  /** What the rows are. */
  readonly what:
    | "accounts"
    | "actions"
    | "changes"
    | "deliveries"
    | "patterns"
    | "pictures"
    | "prints";
}

export const ShowMore = ({ list, what }: ShowMoreProps) =>
  list.hasMore ? (
    <button type="button" onClick={list.more}>
      {t(`more.${what}`)}
    </button>
  ) : null;
