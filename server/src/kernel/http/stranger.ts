/**
 * A name for messages to people who did not request them, such as invitations and codes. Anyone who signs up can choose
 * it, so the result has no link, no line break and a limited length.
 */
export function nameForStrangers(name: string | null, max_length: number, fallback: string): string {
  const plain = (name ?? '').replace(/[^\p{L}\p{M}\p{N}&'’-]+/gu, ' ').trim();
  return Array.from(plain).slice(0, max_length).join('').trim() || fallback;
}
