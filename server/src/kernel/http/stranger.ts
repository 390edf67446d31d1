/**
 * Returns a name that is safe to show to people who did not request the message, such as recipients of invitations and
 * codes. Anyone who signs up can choose the name, so the result contains no link and no line break and has a limited
 * length.
 */
export function nameForStrangers(name: string | null, max_length: number, fallback: string): string {
  const plain = (name ?? '').replace(/[^\p{L}\p{M}\p{N}&'’-]+/gu, ' ').trim();
  return Array.from(plain).slice(0, max_length).join('').trim() || fallback;
}
