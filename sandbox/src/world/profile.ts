/**
 * The profile of a phone: its apps and the habits of its owner. Most phones have the default profile and share one
 * object, so that 100,000 of them need almost no memory.
 */
import { type Input, inputChoice, inputFlag, inputString, invalid } from '../problem.ts';

const readHabits = ['at_once', 'by_hand', 'never'] as const;

export interface Profile {
  /** The owner's name in the apps. */
  name: string;
  whatsapp: boolean;
  viber: boolean;
  /** The IDs of the Viber services that the phone blocks. */
  viber_blocked: readonly number[];
  reads: (typeof readHabits)[number];
  /** True if businesses see a user ID instead of the number. */
  number_hidden: boolean;
  /** True if the owner has stopped marketing messages on WhatsApp. */
  marketing_stopped: boolean;
}

// All profiles without blocks share this list, so that profiles can be compared field by field.
const none: readonly number[] = Object.freeze([]);

export const defaultProfile: Readonly<Profile> = Object.freeze({
  name: '',
  whatsapp: true,
  viber: true,
  viber_blocked: none,
  reads: 'at_once',
  number_hidden: false,
  marketing_stopped: false,
});

export const profileFields = Object.keys(defaultProfile);
const flags = ['whatsapp', 'viber', 'number_hidden', 'marketing_stopped'] as const;

/** Applies the given fields to a profile. */
export function changeProfile(current: Readonly<Profile>, input: Input): Readonly<Profile> {
  const next = { ...current };
  for (const flag of flags) if (input[flag] !== undefined) next[flag] = inputFlag(input, flag);
  if (input.name !== undefined) next.name = inputString(input, 'name', { min: 0, max: 60 }).trim();
  if (input.viber_blocked !== undefined) next.viber_blocked = readBlocked(input.viber_blocked);
  if (input.reads !== undefined) next.reads = inputChoice(input, 'reads', readHabits);
  return isDefaultProfile(next) ? defaultProfile : next;
}

function readBlocked(list: unknown): readonly number[] {
  if (!Array.isArray(list) || list.length > 100 || !list.every((id) => Number.isSafeInteger(id) && id > 0)) {
    throw invalid('viber_blocked', 'must be a list of at most 100 service ids');
  }
  return list.length === 0 ? none : [...new Set<number>(list)];
}

export const isDefaultProfile = (profile: Readonly<Profile>): boolean =>
  (profileFields as (keyof Profile)[]).every((field) => profile[field] === defaultProfile[field]);

/** Returns the name that the apps show to a business. */
export const displayName = (digits: string, { name }: Readonly<Profile>): string => name || `Phone ${digits.slice(-4)}`;
