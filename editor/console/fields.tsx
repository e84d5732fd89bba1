/** Fields of forms and lists. */
import type { Signal } from "@preact/signals";
import { t } from "../shared/messages.ts";

interface PasswordFieldProps {
  readonly label: string;
  readonly name: string;
}

/** Takes a new password, as the API does. */
export const PasswordField = ({ label, name }: PasswordFieldProps) => (
  <>
    <label>
      {label}
      <input
        type="password"
        name={name}
        autocomplete="new-password"
        minLength={8}
        maxLength={1000}
        required
        aria-describedby={`about-${name}`}
      />
    </label>
    <small id={`about-${name}`}>{t("password.rule")}</small>
  </>
);

interface SelectFieldProps {
  readonly label: string;
  readonly chosen: Signal<string>;
  /** Titles of the values to choose from. */
  readonly titles: Readonly<Record<string, string>>;
}

/** Takes one of a few values. */
export const SelectField = ({ label, chosen, titles }: SelectFieldProps) => (
  <label>
    {label}
    <select
      value={chosen.value}
      onChange={({ currentTarget }) => {
        chosen.value = currentTarget.value;
      }}
    >
      {Object.entries(titles).map(([value, title]) => (
        <option key={value} value={value}>
          {title}
        </option>
      ))}
    </select>
  </label>
);
