/** Patterns. */
export function PatternsPage() {
  return (
    <main class="page">
      <h1>Patterns</h1>
    </main>
  );
}
