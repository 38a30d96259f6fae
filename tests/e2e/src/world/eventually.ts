type Nothing = undefined | null | false;

/** Polls until `look` gives something, at most `withinMs`; then fails with what it was waiting for. */
export async function eventually<T>(
  what: string,
  look: () => Nothing | T | Promise<Nothing | T>,
  withinMs = 30_000,
): Promise<T> {
  const end = Date.now() + withinMs;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== null && found !== false) return found;
    if (Date.now() > end) throw new Error(`not within ${withinMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
