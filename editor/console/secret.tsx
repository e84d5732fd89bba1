import { status } from "../shared/attempt.ts";

interface SecretProps {
  /** What it is, as a label: "Key". */
  readonly label: string;
  readonly secret: string;
}

/** A secret that is shown once, to copy. */
export function Secret({ label, secret }: SecretProps) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(secret);
      status.value = `${label} copied.`;
    } catch {
      // Pages without TLS have no clipboard.
      status.value = "Your browser does not let this page copy: select the text and copy it.";
    }
  };
  return (
    <div class="field secret">
      <label>
        {label}
        <input readOnly value={secret} onFocus={({ currentTarget }) => currentTarget.select()} />
      </label>
      <button type="button" onClick={() => void copy()}>
        Copy
      </button>
      <p class="note">Keep it now: it is shown only this once.</p>
    </div>
  );
}
