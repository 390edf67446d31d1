/**
 * The settings of a connection that determine how a text is divided into segments. The counter, the gate, and the
 * adapter all use them, so a text is sent in as many segments as were counted and priced.
 */
import { z } from 'zod';
import { type SegmentOptions, segment, segmentCount } from './text.ts';

export const profileFields = {
  /** The alphabet of data coding 0 at this carrier. */
  default_alphabet: z.enum(['gsm7', 'latin1', 'ascii']).default('gsm7'),
  /**
   * The characters of Latin-1 or ASCII in one segment: 140 if the carrier sends them as octets, 160 if it packs them
   * into 7 bits. GSM-7 always has 160.
   */
  segment_capacity: z.enum(['140', '160']).default('140'),
  /** How the segments of a long text are joined. `sar` and `payload` leave the headers to the carrier. */
  multipart: z.enum(['udh8', 'udh16', 'sar', 'payload']).default('udh8'),
};

export const SmsProfile = z.object(profileFields);
export type SmsProfile = z.output<typeof SmsProfile>;

/** The assumed profile if the connection is unknown: GSM-7 with 8-bit references. */
export const ASSUMED_PROFILE: SmsProfile = { default_alphabet: 'gsm7', segment_capacity: '140', multipart: 'udh8' };

/**
 * Headers that the carrier writes are counted like those with an 8-bit reference, which almost all carriers use.
 */
export const segmentOptions = (profile: SmsProfile): SegmentOptions => ({
  alphabet: profile.default_alphabet,
  capacity: profile.segment_capacity === '160' ? 160 : 140,
  reference: profile.multipart === 'udh16' ? 16 : 8,
});

/** True if both profiles divide every text in the same way. */
export const isSameCount = (a: SmsProfile, b: SmsProfile): boolean => countingKey(a) === countingKey(b);

function countingKey(profile: SmsProfile): string {
  const { alphabet, capacity, reference } = segmentOptions(profile);
  return `${alphabet} ${alphabet === 'gsm7' ? 160 : capacity} ${reference}`;
}

const OPTIONS: readonly SegmentOptions[] = (['gsm7', 'latin1', 'ascii'] as const).flatMap((alphabet) =>
  ([140, 160] as const).flatMap((capacity) =>
    ([8, 16] as const).map((reference) => ({ alphabet, capacity, reference })),
  ),
);

/** The lowest number of segments on any connection. A text that is too long there is too long everywhere. */
export const fewestSegments = (text: string): number =>
  Math.min(...OPTIONS.map((options) => segmentCount(text, options)));

/** Divides the text of a sent message into its counted segments, based on its encoding and number of segments. */
export function sentSegments(text: string, encoding: string, count: number): string[] {
  const counted = OPTIONS.map((options) => segment(text, options));
  const isCounted = (one: (typeof counted)[number]) => one.encoding === encoding && one.segments.length === count;
  return (counted.find(isCounted) ?? counted[0]!).segments;
}

/** The number of characters in a single segment without Unicode. */
export const plainCapacity = ({ default_alphabet, segment_capacity }: SmsProfile): number =>
  default_alphabet === 'gsm7' ? 160 : Number(segment_capacity);
