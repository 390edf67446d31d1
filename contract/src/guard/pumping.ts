/** The signs of SMS pumping, and their figures in words. */
import { z } from 'zod';

export const PUMPING_SIGNALS = ['unused', 'conversion', 'consecutive', 'concentration', 'growth'] as const;
export type PumpingSignal = (typeof PUMPING_SIGNALS)[number];

/** The traffic that is compared and stopped: verification codes, other single messages, or messages of campaigns. */
export const TRAFFIC = ['codes', 'messages', 'campaigns'] as const;
export type Traffic = (typeof TRAFFIC)[number];

/** The figures of the sign. Shares are from 0 to 1. */
export const Evidence = z.object({
  observed: z.number(),
  /** The figure's usual value. Null if there is none. */
  usual: z.number().nullable(),
  /** The number of codes or messages behind the observed figure. */
  sample: z.int(),
  /** The outcome whose share is compared. Absent for codes, which people enter. */
  measure: z.enum(['delivered', 'responded']).optional(),
});
export type Evidence = z.output<typeof Evidence>;

/** A figure of a place, even if no sign was found. */
export const Figure = z.object({
  signal: z.enum(PUMPING_SIGNALS),
  /** The figure in words. */
  text: z.string(),
});
export type Figure = z.output<typeof Figure>;

const count = (value: number, noun: string): string =>
  `${value.toLocaleString('en-US')} ${value === 1 ? noun : `${noun}s`}`;
/** Responses are rare, so their share has a decimal. */
const share = (value: number, digits = 0): string => `${(value * 100).toFixed(digits)}%`;

const capitalized = (word: string): string => word[0]!.toUpperCase() + word.slice(1);

interface Words {
  readonly noun: string;
  readonly went: string;
  readonly had: string;
}
const WORDS: Readonly<Record<Traffic, Words>> = {
  codes: { noun: 'code', went: 'were requested for', had: 'were entered' },
  messages: { noun: 'message', went: 'were sent to', had: 'were delivered' },
  campaigns: { noun: 'campaign message', went: 'were sent to', had: 'were delivered' },
};

/** The evidence in words, such as "9% of 240 codes were entered in the last 24 hours. Before, it was 68%." */
export function describeEvidence(
  signal: PumpingSignal,
  kind: 'range' | 'country',
  { observed, usual, sample, measure }: Evidence,
  traffic: Traffic = 'codes',
): string {
  const before = usual ?? 0;
  const { noun, went, had } = WORDS[traffic];
  switch (signal) {
    case 'unused':
      return (
        `${count(observed, noun)} to this ${kind} were not entered within an hour. ` +
        `The busiest hour of the previous week had ${count(before, 'unused code')}.`
      );
    case 'conversion': {
      const outcome = measure === 'responded' ? 'were answered or had their link opened' : had;
      const digits = measure === 'responded' ? 1 : 0;
      return (
        `${share(observed, digits)} of ${count(sample, noun)} ${outcome} in the last 24 hours. ` +
        `Before, it was ${share(before, digits)}.`
      );
    }
    case 'consecutive':
      return `${capitalized(noun)}s ${went} ${count(observed, 'consecutive number')} within an hour.`;
    case 'concentration':
      return (
        `${share(observed)} of ${count(sample, noun)} in an hour went to this range. ` +
        `Before, it was ${share(before)}.`
      );
    case 'growth':
      return (
        `${count(observed, noun)} ${went} this ${kind} within an hour. ` +
        `The busiest hour of the last 15 days had ${count(before, noun)}.`
      );
  }
}
