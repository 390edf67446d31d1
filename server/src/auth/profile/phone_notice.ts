import { DEFAULT_BRAND } from '../../kernel/brand/brand.ts';
import { job } from '../../kernel/jobs/jobs.ts';

/** A text message to the number that a person had before they changed it. */
export interface PhoneNotice {
  id: string;
  number: string;
  /** The name of the brand that the person sees. Jobs of earlier versions do not have it. */
  brand?: string;
}
/** Implemented by `messages`, the only module that sends text messages. */
export const phoneNotice = job<PhoneNotice>('auth.send_phone_notice', {
  retry: 3,
  retry_seconds: 1,
  expire_seconds: 120,
});

export const phoneNoticeText = ({ brand = DEFAULT_BRAND.name }: Pick<PhoneNotice, 'brand'>): string =>
  `The phone number on your ${brand} account was changed. If this was not you, change your password now.`;
