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
    <small id={`about-${name}`}>At least 8 characters, of any kind.</small>
  </>
);
