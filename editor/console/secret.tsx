import { status } from "../shared/attempt.ts";
import { t } from "../shared/messages.ts";

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
      status.value = t("secret.copied", { label });
    } catch {
      // Pages without TLS have no clipboard.
      status.value = t("secret.noClipboard");
    }
  };
  return (
    <div class="field secret">
      <label>
        {label}
        <input readOnly value={secret} onFocus={({ currentTarget }) => currentTarget.select()} />
      </label>
      <button type="button" onClick={() => void copy()}>
        {t("secret.copy")}
      </button>
      <p class="note">{t("secret.once")}</p>
    </div>
  );
}
