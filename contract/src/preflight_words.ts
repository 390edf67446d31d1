/** What the checks of all kinds share: the shape of a finding, and words that tell something. */
import type { Finding } from './sender_registration.ts';

export const found = (
  level: Finding['level'],
  code: string,
  field: string,
  title: string,
  why: string,
  fix: string,
): Finding => ({ code, level, field, title, why, fix });

export const MARKETING =
  /\b(sale|discount|\d+ ?% off|offer|promo\w*|coupon|deal|buy now|shop now|voucher|special price)\b/i;

export const brandWords = (brand: string): string[] =>
  brand
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 2);

/** Names that could be anybody’s. */
export const GENERAL_NAMES: ReadonlySet<string> = new Set(
  'info sms alert alerts verify notice bank service support message test news offer promo otp code delivery parcel'.split(
    ' ',
  ),
);
