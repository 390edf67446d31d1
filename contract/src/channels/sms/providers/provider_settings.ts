/** Settings that all SMS providers over HTTP share. */
import { z } from 'zod';
import { range } from '../../../common.ts';
import { pace } from '../../http_settings.ts';
import { ASSUMED_PROFILE, type SmsProfile } from '../profile.ts';

/** Providers divide long texts themselves, with 8-bit references. */
export const providerProfile = (): SmsProfile => ASSUMED_PROFILE;

export const providerPace = {
  ...pace,
  throughput: pace.throughput.default(null),
  /** Messages per day in UTC; null means no limit. More messages wait, or take another route. */
  daily_limit: range(1, 10_000_000).nullable().default(null),
};

/** An ID that becomes part of a URL. */
export const pathId = z
  .string()
  .trim()
  .max(100)
  .regex(/^[\w-]*$/, { error: 'can contain letters, digits, hyphens, and underscores' });

export const CALLBACK_SECRET_INPUT = {
  name: 'callback_secret',
  label: 'Callback secret',
  description: 'A secret of your choice with at least 16 characters. It becomes part of the callback URL.',
  secret: true,
} as const;

/** Part of the callback URL, for providers that do not sign their callbacks. Callbacks are refused if it is empty. */
export const callbackSecret = z
  .string()
  .trim()
  .max(200)
  .regex(/^$|^[\w-]{16,}$/, { error: 'must have at least 16 letters, digits, hyphens, or underscores' })
  .default('');
