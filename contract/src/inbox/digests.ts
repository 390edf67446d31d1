/** The emails of the inbox: the digest, which a user gets if something waits, and emails about mentions. */
import { z } from 'zod';
import { problem } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { INBOX_NEEDS } from './needs.ts';

/** 24 means every day at a set time. */
export const DIGEST_HOURS = [2, 4, 8, 24] as const;

export const DigestSettings = z.object({
  /** How often the digest is sent; null means never. */
  every_hours: z.union(DIGEST_HOURS.map((hours) => z.literal(hours))).nullable(),
  /** When a daily digest is sent, in the time zone. */
  time: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: problem('VALUE_INVALID') }),
  /** The user's time zone, such as `Europe/Berlin`. */
  timezone: z.string().min(1).max(60),
  /** Whether the user gets an email when a note mentions them. */
  mention_emails: z.boolean(),
});
export type DigestSettings = z.output<typeof DigestSettings>;

export const getDigestSettings = endpoint({
  id: 'digest_settings.get',
  method: 'GET',
  path: '/v1/digest_settings',
  summary: 'Get the caller’s inbox email settings: the digest, and mentions in notes',
  needs: INBOX_NEEDS,
  audience: 'session',
  output: DigestSettings,
  problems: [],
});

export const updateDigestSettings = endpoint({
  id: 'digest_settings.update',
  method: 'PUT',
  path: '/v1/digest_settings',
  summary: 'Change the caller’s inbox email settings. Omitted fields stay unchanged',
  needs: INBOX_NEEDS,
  audience: 'session',
  body: DigestSettings.partial(),
  output: DigestSettings,
  problems: ['VALUE_INVALID', 'TIME_ZONE_INVALID'],
});
