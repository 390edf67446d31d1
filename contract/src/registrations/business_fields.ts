/** Company fields shared by several forms. Each has two problems: one if it is missing, and one if it is invalid. */
import { z } from 'zod';
import { country, problem } from '../common.ts';

export const businessText = (
  missing: Parameters<typeof problem>[0],
  wrong: Parameters<typeof problem>[0],
  least: number,
  most: number,
) =>
  z
    .string({ error: problem(missing) })
    .trim()
    .min(1, { error: problem(missing), abort: true })
    .min(least, { error: problem(wrong), abort: true })
    .max(most, { error: problem(wrong) });

export const BUSINESS = {
  business_name: businessText('BUSINESS_NAME_REQUIRED', 'BUSINESS_NAME_INVALID', 2, 100),
  business_address: businessText('BUSINESS_ADDRESS_REQUIRED', 'BUSINESS_ADDRESS_INVALID', 5, 300),
  business_website: businessText('BUSINESS_WEBSITE_REQUIRED', 'BUSINESS_WEBSITE_INVALID', 8, 300).regex(
    /^https?:\/\/[^\s.]+\.\S+$|^https?:\/\/(?:localhost|127\.0\.0\.1)\S*$/,
    { error: problem('BUSINESS_WEBSITE_INVALID') },
  ),
  business_phone: businessText('BUSINESS_PHONE_REQUIRED', 'BUSINESS_PHONE_INVALID', 6, 26).regex(
    /^\+?[\d\s().-]{6,25}$/,
    { error: problem('BUSINESS_PHONE_INVALID') },
  ),
  business_country: country('BUSINESS_COUNTRY_INVALID'),
  business_email: businessText('BUSINESS_EMAIL_REQUIRED', 'BUSINESS_EMAIL_INVALID', 3, 200).pipe(
    z.email({ error: problem('BUSINESS_EMAIL_INVALID') }),
  ),
  business_industry: z
    .int({ error: problem('BUSINESS_INDUSTRY_INVALID') })
    .min(1, { error: problem('BUSINESS_INDUSTRY_INVALID') })
    .max(37, { error: problem('BUSINESS_INDUSTRY_INVALID') }),
} as const;

const places = (code: 'TARGETED_COUNTRIES_REQUIRED' | 'BUSINESS_LOCATIONS_INVALID') =>
  z
    .array(country(code), { error: problem(code) })
    .min(1, { error: problem(code) })
    .max(60, { error: problem(code) })
    .transform((countries) => [...new Set(countries)]);

/** Fields that every access form requires. */
export const BUSINESS_ACCESS = {
  ...BUSINESS,
  /** The company's business and the recipients of its messages. */
  business_description: businessText('BUSINESS_DESCRIPTION_REQUIRED', 'BUSINESS_DESCRIPTION_INVALID', 20, 500),
  /** The countries of its offices and shops. */
  business_locations: places('BUSINESS_LOCATIONS_INVALID'),
  /** The name of the parent company, if there is one. */
  parent_name: z
    .string({ error: problem('PARENT_NAME_INVALID') })
    .trim()
    .max(100, { error: problem('PARENT_NAME_INVALID') })
    .optional(),
  /** The countries of its recipients. */
  targeted_countries: places('TARGETED_COUNTRIES_REQUIRED'),
} as const;
