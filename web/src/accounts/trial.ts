/** Determines when a trial ends, and provides the texts for it. */
import { type Account, TRIAL_DAYS } from '@parley/contract/accounts/accounts.ts';
import { instant } from '../ui/data/format.ts';

export const trialEnd = ({ create_date }: Pick<Account, 'create_date'>): Date =>
  new Date(instant(create_date).getTime() + TRIAL_DAYS * 86_400_000);

export function daysLeftLabel(days: number): string {
  if (days <= 0) return 'Trial ended';
  return days === 1 ? '1 day left' : `${days} days left`;
}

/** The trial is highlighted in its last week. */
export const isEnding = (days: number): boolean => days <= 7;

export const TRIAL_RESTRICTION =
  'During the free trial, you can only send messages to the personal phone number you used to register your free ' +
  'trial account.';
