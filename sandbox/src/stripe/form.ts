/** Reads form-encoded bodies and queries with brackets: `metadata[account_id]=1`. */
export function readForm(source: string) {
  const values = new Map(new URLSearchParams(source));
  return {
    source,
    text: (name: string): string | undefined => values.get(name),
    group(name: string): Record<string, string> {
      const entries = [...values]
        .filter(([key]) => key.startsWith(`${name}[`) && key.endsWith(']'))
        .map(([key, value]) => [key.slice(name.length + 1, -1), value] as const);
      return Object.fromEntries(entries);
    },
  };
}
