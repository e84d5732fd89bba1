/** Lists with a search, page by page. */
import { useSignal } from "@preact/signals";
import { t } from "../shared/messages.ts";
import { fieldsOf } from "./forms.ts";
import { type Paged, usePaged } from "./paged.tsx";

/** Rows of a page. */
const SIZE = 24;

export interface Searched<Row> extends Paged<Row> {
  /** What the rows were searched for. */
  readonly text: string;
  search(text: string): void;
}

/** Loads what a list of the API has, and more with each wish for it. */
export function useSearched<Row extends { readonly id: number }>(
  path: string,
  filters: Readonly<Record<string, string>> = {},
): Searched<Row> {
  const text = useSignal("");
  const given = Object.entries({ ...filters, search: text.value }).filter(([, value]) => value);
  const query = new URLSearchParams(given).toString();
  const list = usePaged<Row>(query ? `${path}?${query}` : path, SIZE);
  return {
    ...list,
    text: text.value,
    search(wanted) {
      text.value = wanted.trim();
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
        <button type="submit">{t("shell.search")}</button>
      </form>
    </search>
  );
}
