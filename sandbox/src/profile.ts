// What a phone is besides being on or off: the apps on it and how its person behaves. Most phones are usual ones and share one
// object, so that 100,000 of them cost nothing.
import { type Input, inputChoice, inputFlag, inputString, invalid } from './problem.ts';

export const readHabits = ['at_once', 'by_hand', 'never'] as const;

export interface Profile {
  /** The person's name in the apps. */
  name: string;
  whatsapp: boolean;
  viber: boolean;
  /** The Viber services it blocks, by service id. */
  viber_blocked: readonly number[];
  reads: (typeof readHabits)[number];
  /** The business is told a user id, and no number. */
  number_hidden: boolean;
  /** The person has stopped marketing messages on WhatsApp. */
  marketing_stopped: boolean;
}

// One list for all who block none, so that a profile can be compared member by member.
const none: readonly number[] = Object.freeze([]);

export const usualProfile: Readonly<Profile> = Object.freeze({
  name: '',
  whatsapp: true,
  viber: true,
  viber_blocked: none,
  reads: 'at_once',
  number_hidden: false,
  marketing_stopped: false,
});

export const profileFields = Object.keys(usualProfile);
const flags = ['whatsapp', 'viber', 'number_hidden', 'marketing_stopped'] as const;

/** What is given, over what was. */
export function changeProfile(now: Readonly<Profile>, input: Input): Readonly<Profile> {
  const next = { ...now };
  for (const flag of flags) if (input[flag] !== undefined) next[flag] = inputFlag(input, flag);
  if (input.name !== undefined) next.name = inputString(input, 'name', { min: 0, max: 60 }).trim();
  if (input.viber_blocked !== undefined) next.viber_blocked = readBlocked(input.viber_blocked);
  if (input.reads !== undefined) next.reads = inputChoice(input, 'reads', readHabits);
  return isUsual(next) ? usualProfile : next;
}

function readBlocked(list: unknown): readonly number[] {
  if (!Array.isArray(list) || list.length > 100 || !list.every((id) => Number.isSafeInteger(id) && id > 0)) {
    throw invalid('viber_blocked', 'must be a list of at most 100 service ids');
  }
  return list.length === 0 ? none : [...new Set<number>(list)];
}

export const isUsual = (profile: Readonly<Profile>): boolean =>
  (profileFields as (keyof Profile)[]).every((field) => profile[field] === usualProfile[field]);

/** As the apps show the person to a business. */
export const nameOf = (digits: string, { name }: Readonly<Profile>): string => name || `Phone ${digits.slice(-4)}`;
