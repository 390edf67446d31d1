/** The text counters of the channels. */
import { ALL_CHANNELS } from '@parley/contract/channels/index.ts';
import type { SmsProfile } from '@parley/contract/channels/sms/profile.ts';
import { textLength } from '@parley/contract/text_length.ts';
import { segmentCounter } from './sms/segments.ts';

export const isCountedInSegments = (channel: string): boolean =>
  ALL_CHANNELS.some(({ name, counts }) => name === channel && counts === 'segments');

/** "24/1000 - 1 segment - GSM-7" if the channel counts segments, otherwise "24/1000". */
export const textCounter = (channel: string, text: string, max: number, profile: SmsProfile): string =>
  isCountedInSegments(channel) ? segmentCounter(text, text, max, profile) : `${textLength(text)}/${max}`;
