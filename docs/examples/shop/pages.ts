/** The shop's pages. */

const page = (title: string, body: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/shop.css">
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`;

/** The page of the product. Without its script the form is sent, and the shop redirects to the editor. */
export const productPage = (title: string, service: string) =>
  page(
    title,
    `<p>Canvas, 38 × 42 cm, printed with a pattern of your own.</p>
<form method="post" action="/design" data-orbifold="Design your tote bag">
<button>Design your own</button>
</form>
<script src="${service}/embed.js" defer></script>`,
  );

export const orderPage = (patternId: number, mockup: string) =>
  page(
    "In your basket",
    `<p>A tote bag with pattern ${patternId}.</p>
<img src="${mockup.replaceAll("&", "&amp;")}" alt="Your tote bag" width="400" height="400">
<p><a href="/">Back to the product</a></p>`,
  );

export const messagePage = (title: string, text: string) =>
  page(title, `<p>${text}</p>\n<p><a href="/">Back to the product</a></p>`);

export const STYLE = `:root { color-scheme: light dark; font: 1.125rem/1.5 system-ui, sans-serif; }
main { max-width: 32rem; margin: 10vh auto; padding: 0 1rem; }
button { font: inherit; min-height: 2.75rem; padding: 0 1.5rem; }
img { max-width: 100%; height: auto; border-radius: 0.5rem; }
`;
