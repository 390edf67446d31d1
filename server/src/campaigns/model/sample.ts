/**
 * The random sample of an A/B test. The stored seed and the number of a contact decide whether the contact is in the
 * sample, so each worker, and each repetition after a crash, chooses the same contacts.
 */
import { randomInt } from 'node:crypto';
import type { CampaignRow } from './row.ts';

type Sample = Pick<CampaignRow, 'test_seed' | 'test_threshold' | 'test_cursor'>;

export const newSeed = (): number => randomInt(2 ** 32);

/** Returns a number of 53 bits, evenly distributed: the hash cyrb53 of the number of a contact. */
export function sampleHash(seed: number, number: string): number {
  let high = 0xdeadbeef ^ seed;
  let low = 0x41c6ce57 ^ seed;
  for (let at = 0; at < number.length; at++) {
    const code = number.charCodeAt(at);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return 4294967296 * (2097151 & low) + (high >>> 0);
}

/** Returns the hash up to which `size` of the contacts are in the sample, or null if everyone is. */
export function sampleThreshold(hashes: readonly number[], size: number): number | null {
  if (size >= hashes.length) return null;
  return Float64Array.from(hashes).sort()[size - 1] ?? 0;
}

const isSampled = ({ test_seed, test_threshold }: Sample, number: string): boolean =>
  test_seed !== null && test_threshold !== null && sampleHash(test_seed, number) <= test_threshold;

/** Returns whether the next contacts belong to the sample of a test. The others are read when the test has ended. */
export const readsSample = ({ test, test_threshold, test_winner }: CampaignRow): boolean =>
  test !== null && test_threshold !== null && test_winner === null;

/** Returns whether all contacts have been read for the sample. */
export const isSampleRead = ({ test_cursor, last_contact_id }: CampaignRow): boolean => test_cursor === last_contact_id;

/** Returns whether the contact was decided during the test. */
export const wasInTest = (row: Sample, { id, number }: { id: string; number: string }): boolean =>
  row.test_cursor !== null && id <= row.test_cursor && isSampled(row, number);

/**
 * Returns the contacts in the sample, and the contacts of the page up to the last one of them. The end of a page is
 * between two IDs, because a contact and a person can have the same ID.
 */
export function takeSample<T extends { id: string; number: string }>(
  row: Sample,
  page: readonly T[],
  limit: number,
): { sample: T[]; read: readonly T[] } {
  const sample: T[] = [];
  for (const [at, contact] of page.entries()) {
    if (!isSampled(row, contact.number)) continue;
    if (sample.length >= limit && page[at - 1]!.id !== contact.id) return { sample, read: page.slice(0, at) };
    sample.push(contact);
  }
  return { sample, read: page };
}
