/**
 * The default editor page: opens the shop's handoff and shows its status. Designing uses the API;
 * the page shows how. It loads nothing from other hosts.
 */

/** The page, with links that start with `basePath`. */
export const editorPage = (basePath: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>orbifold editor</title>
<link rel="icon" type="image/png" href="${basePath}/docs/favicon-32x32.png">
<link rel="stylesheet" href="${basePath}/editor/editor.css">
<script type="module" src="${basePath}/editor/editor.js"></script>
</head>
<body>
<main>
<h1>Design a pattern</h1>
<p id="state" role="status">Opening …</p>
<section id="opened" hidden>
<p>You are designing for product <strong id="product"></strong>.</p>
<p>The editor with its tools will be on this page. Until then a design is made through the
<a href="${basePath}/docs">API</a> with the token of this session, which your shop's plugin can use:</p>
<pre id="token" tabindex="0"></pre>
<p><a id="back">Back to the shop without a design</a></p>
</section>
</main>
</body>
</html>
`;

/** Opens the handoff in the page's URL; a reload reuses the session. */
export const EDITOR_SCRIPT = `const show = (id, text) => (document.getElementById(id).textContent = text);
const address = new URL(location.href);
const handoff = address.searchParams.get("handoff");

async function open() {
  const kept = sessionStorage.getItem("handoff " + handoff);
  if (kept) return JSON.parse(kept);
  const response = await fetch(new URL("../api/v1/embed/sessions", import.meta.url), {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ handoff }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.detail);
  sessionStorage.setItem("handoff " + handoff, JSON.stringify(answer));
  return answer;
}

if (!handoff) {
  show("state", "This page is opened by a shop, for one of its products.");
} else {
  try {
    const session = await open();
    show("product", session.product_id);
    show("token", session.token);
    document.getElementById("back").href = session.return_url;
    document.getElementById("opened").hidden = false;
    show("state", "Your session is open until " + new Date(session.expires_at).toLocaleString() + ".");
  } catch (error) {
    show("state", "This did not work: " + error.message + ". Go back to the shop and start again.");
  }
}
`;

export const EDITOR_STYLE = `body { font: 1rem/1.5 system-ui, sans-serif; color: #1b1b1f; background: #f6f4ef; margin: 0; }
main { max-width: 40rem; margin: 10vh auto; padding: 2rem; background: #fff; border-radius: 0.5rem; }
h1 { margin-top: 0; }
pre { overflow-x: auto; padding: 0.75rem; background: #f0eee8; border-radius: 0.25rem; }
`;

/** Shops' links may point anywhere; everything else is same-origin. */
export const EDITOR_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");
