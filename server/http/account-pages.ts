/** Pages that links in mail point to. They send the token, which is in the fragment, to the API. */

const page = (title: string, path: string, form: string) => (basePath: string) =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" type="image/png" href="${basePath}/docs/favicon-32x32.png">
<link rel="stylesheet" href="${basePath}/account-pages.css">
<script type="module" src="${basePath}/account-pages.js"></script>
</head>
<body>
<main>
<h1>${title}</h1>
<form data-path="${basePath}/api/v1/auth/${path}">
${form}
</form>
<p role="status"></p>
</main>
</body>
</html>
`;

/** Not on load: link scanners open the page, too. */
export const verifyEmailPage = page(
  "Verify your e-mail address",
  "verify-email",
  "<button>Verify</button>",
);

export const resetPasswordPage = page(
  "Set a new password",
  "password-reset/confirm",
  `<p><label>New password <input name="password" type="password" autocomplete="new-password"
minlength="8" maxlength="1000" required></label></p>
<button>Set</button>`,
);

/** Sends a page's form as JSON with the token, and shows the result. */
export const ACCOUNT_PAGES_SCRIPT = `const form = document.querySelector("form");
const status = document.querySelector("[role=status]");
const show = (text) => (status.textContent = text);

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const token = location.hash.slice(1);
  const body = JSON.stringify({ token, ...Object.fromEntries(new FormData(form)) });
  const headers = { "Content-Type": "application/json" };
  try {
    const response = await fetch(form.dataset.path, { method: "POST", headers, body });
    if (!response.ok) throw new Error((await response.json()).detail);
    form.hidden = true;
    show("Done.");
  } catch (error) {
    show("This did not work: " + error.message + ".");
  }
});
`;

export const ACCOUNT_PAGES_STYLE = `body { font: 1rem/1.5 system-ui, sans-serif; color: #1b1b1f; background: #f6f4ef; margin: 0; }
main { max-width: 40rem; margin: 10vh auto; padding: 2rem; background: #fff; border-radius: 0.5rem; }
h1 { margin-top: 0; }
`;
