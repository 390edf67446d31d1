/** Days of a trial in words, and when it ends. */
import { type Account, TRIAL_DAYS } from '@parley/contract/accounts/accounts.ts';
import { instant } from '../ui/data/format.ts';

export const trialEnd = ({ create_date }: Pick<Account, 'create_date'>): Date =>
  new Date(instant(create_date).getTime() + TRIAL_DAYS * 86_400_000);

export function daysWords(days: number): string {
  if (days <= 0) return 'Trial ended';
  return days === 1 ? '1 day left' : `${days} days left`;
}

/** The last week asks for attention, not before. */
export const isEnding = (days: number): boolean => days <= 7;

export const RESTRICTED_WORDS =
  'During the free trial, you can only send messages to the personal phone number you used to register your free trial account.';
