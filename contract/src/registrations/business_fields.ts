/** Fields about a company that several forms share. Each has two problems: one for missing, one for wrong. */
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
  business_name: businessText(1458, 1445, 2, 100),
  business_address: businessText(1460, 1448, 5, 300),
  business_website: businessText(1462, 1450, 8, 300).regex(
    /^https?:\/\/[^\s.]+\.\S+$|^https?:\/\/(?:localhost|127\.0\.0\.1)\S*$/,
    { error: problem(1450) },
  ),
  business_phone: businessText(1463, 1451, 6, 26).regex(/^\+?[\d\s().-]{6,25}$/, { error: problem(1451) }),
  business_country: country(1452),
  business_email: businessText(1464, 1454, 3, 200).pipe(z.email({ error: problem(1454) })),
  business_industry: z
    .int({ error: problem(1455) })
    .min(1, { error: problem(1455) })
    .max(37, { error: problem(1455) }),
} as const;

const places = (code: 1453 | 1456) =>
  z
    .array(country(code), { error: problem(code) })
    .min(1, { error: problem(code) })
    .max(60, { error: problem(code) })
    .transform((countries) => [...new Set(countries)]);

/** What every channel that reviews businesses asks for. */
export const BUSINESS_ACCESS = {
  ...BUSINESS,
  /** What the company does and whom it writes to. */
  business_description: businessText(1461, 1449, 20, 500),
  /** Where it has offices or shops. */
  business_locations: places(1456),
  /** The company it belongs to; empty when there is none. */
  parent_name: z
    .string({ error: problem(1457) })
    .trim()
    .max(100, { error: problem(1457) })
    .optional(),
  /** Where its recipients are. */
  targeted_countries: places(1453),
} as const;
