/**
 * Names in what goes to people who did not ask for it: invitations, codes. They were chosen by whoever signed up, so nothing of an address that could be
 * followed is left of them, no line of their own, and they are never longer than the words around them.
 */
export function nameForStrangers(name: string | null, most: number, otherwise: string): string {
  const plain = (name ?? '').replace(/[^\p{L}\p{M}\p{N}&'’-]+/gu, ' ').trim();
  return Array.from(plain).slice(0, most).join('').trim() || otherwise;
}
