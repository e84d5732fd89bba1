/** Lists with a search, page by page. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { attempt, messageOf, status } from "../shared/attempt.ts";
import { fieldsOf } from "./forms.ts";
import { fetchJson } from "./session.ts";

interface Page<Row> {
  readonly data: readonly Row[];
  readonly next_cursor: string | null;
}

/** Rows of a page. */
const LIMIT = 24;

export interface Searched<Row> {
  /** Null until they are loaded. */
  readonly rows: readonly Row[] | null;
  readonly hasMore: boolean;
  /** What the rows were searched for. */
  readonly text: string;
  search(text: string): void;
  more(): void;
  /** Replaces the row with this id, or takes it out. */
  put(id: number, row: Row | null): void;
}

/** Loads what a list of the API has, and more with each wish for it. */
export function useSearched<Row extends { readonly id: number }>(path: string): Searched<Row> {
  const text = useSignal("");
  const rows = useSignal<readonly Row[] | null>(null);
  const next = useSignal<string | null>(null);
  const load = async (cursor: string | null) => {
    const query = new URLSearchParams({
      limit: String(LIMIT),
      ...(text.value && { search: text.value }),
      ...(cursor && { cursor }),
    });
    const page = await fetchJson<Page<Row>>("GET", `${path}?${query}`);
    rows.value = [...(cursor ? (rows.value ?? []) : []), ...page.data];
    next.value = page.next_cursor;
  };
  const start = async () => {
    try {
      await load(null);
    } catch (error) {
      status.value = `This list could not be loaded: ${messageOf(error)}.`;
    }
  };
  useEffect(() => void start(), []);
  return {
    rows: rows.value,
    hasMore: next.value !== null,
    text: text.value,
    search(wanted) {
      text.value = wanted.trim();
      void start();
    },
    more: () => void attempt("Loading more …", () => load(next.value)),
    put(id, row) {
      const others = row === null ? [] : [row];
      rows.value = rows.value?.flatMap((one) => (one.id === id ? others : [one])) ?? null;
    },
  };
}

interface SearchProps {
  readonly label: string;
  readonly onSearch: (text: string) => void;
}

export function Search({ label, onSearch }: SearchProps) {
  return (
    <search>
      <form class="inline" onSubmit={(event) => onSearch(fieldsOf(event).text)}>
        <label>
          {label}
          <input
            type="search"
            name="text"
            maxLength={200}
            // Clearing the field ends the search.
            onInput={({ currentTarget }) => currentTarget.value === "" && onSearch("")}
          />
        </label>
        <button type="submit">Search</button>
      </form>
    </search>
  );
}
