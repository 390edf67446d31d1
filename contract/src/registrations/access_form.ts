/**
 * What WhatsApp and Viber ask of a company before it may send: the two forms, and the files that belong to them. A form is kept part by part, so what
 * is missing is told by the check (preflight_access.ts), and what is there has to be right at once.
 */
import { z } from 'zod';
import { country, problem } from '../common.ts';
import type { Dimensions } from '../media/rules.ts';
import { DOCUMENTS } from '../senders/countries.ts';
import { BUSINESS, businessText } from './business_fields.ts';

export const ACCESS_KINDS = ['whatsapp', 'viber'] as const;
export type AccessKind = (typeof ACCESS_KINDS)[number];
export const ACCESS_CHANNELS = { whatsapp: 'WHATSAPP', viber: 'VIBER' } as const;
export const ACCESS_LABELS: Readonly<Record<AccessKind, string>> = { whatsapp: 'WhatsApp', viber: 'Viber' };

const places = (code: 'TARGETED_COUNTRIES_REQUIRED' | 'BUSINESS_LOCATIONS_INVALID') =>
  z
    .array(country(code), { error: problem(code) })
    .min(1, { error: problem(code) })
    .max(60, { error: problem(code) })
    .transform((countries) => [...new Set(countries)]);

const business = {
  ...BUSINESS,
  /** What it does and whom it writes to. */
  business_description: businessText('BUSINESS_DESCRIPTION_REQUIRED', 'BUSINESS_DESCRIPTION_INVALID', 20, 500),
  /** Where it has offices or shops. */
  business_locations: places('BUSINESS_LOCATIONS_INVALID'),
  /** The company it belongs to; empty: to none. */
  parent_name: z
    .string({ error: problem('PARENT_NAME_INVALID') })
    .trim()
    .max(100, { error: problem('PARENT_NAME_INVALID') })
    .optional(),
  /** Where the people are that it writes to. */
  targeted_countries: places('TARGETED_COUNTRIES_REQUIRED'),
} as const;
export type BusinessField = keyof typeof business;
export const BUSINESS_FIELDS = Object.keys(business) as BusinessField[];

/** As WhatsApp sorts businesses in their profiles. */
export const PROFILE_CATEGORIES = {
  automotive: 'Automotive',
  beauty: 'Beauty, spa and salon',
  clothing: 'Clothing and apparel',
  education: 'Education',
  entertainment: 'Entertainment',
  event_planning: 'Event planning',
  finance: 'Finance and banking',
  food: 'Food and groceries',
  government: 'Public service',
  health: 'Medical and health',
  hotel: 'Hotel and lodging',
  non_profit: 'Non-profit organisation',
  professional_services: 'Professional services',
  restaurant: 'Restaurant',
  retail: 'Shopping and retail',
  travel: 'Travel and transportation',
  other: 'Other',
} as const;

export const WhatsappSection = z.object({
  ...business,
  /** `own`: one the company has elsewhere, shown to be its own by a code. `account`: a number it sends SMS from here. */
  number_from: z.enum(['own', 'account']),
  phone_number: z
    .string({ error: problem('SENDER_PHONE_INVALID') })
    .trim()
    .max(30, { error: problem('SENDER_PHONE_INVALID') })
    .transform((written) => written.replace(/[\s().-]/g, '').replace(/^(?:\+|00)/, ''))
    .pipe(z.string().regex(/^[1-9]\d{6,14}$/, { error: problem('SENDER_PHONE_INVALID') })),
  /** What people see above the conversation. */
  display_name: z.string().trim().min(3).max(60),
  /** Of Meta's business portfolio, where there is one already. */
  meta_business_id: z
    .string()
    .trim()
    .regex(/^(?:\d{5,20})?$/, { error: 'Digits, 5 to 20 of them' })
    .optional(),
  about: z.string().trim().max(139).optional(),
  category: z.enum(Object.keys(PROFILE_CATEGORIES) as [keyof typeof PROFILE_CATEGORIES]),
});

export const TRAFFIC = {
  transactional: 'Transactional: what people have asked for',
  promotional: 'Promotional: offers and news',
  both: 'Both',
} as const;

export const ViberSection = z.object({
  ...business,
  business_name_en: businessText('BUSINESS_NAME_EN_REQUIRED', 'BUSINESS_NAME_EN_INVALID', 2, 28).regex(
    /^(?=.*[A-Za-z])[\x20-\x7e]+$/,
    { error: problem('BUSINESS_NAME_EN_INVALID') },
  ),
  traffic: z.enum(Object.keys(TRAFFIC) as [keyof typeof TRAFFIC]),
  two_way: z.boolean(),
  sample_messages: z.array(z.string().trim().min(10).max(1_000)).min(1).max(5),
});

/** What has been saved so far. */
export const WhatsappDraft = WhatsappSection.partial();
export type WhatsappDraft = z.output<typeof WhatsappDraft>;
export const ViberDraft = ViberSection.partial();
export type ViberDraft = z.output<typeof ViberDraft>;

const LOGO_SIZES = [
  [360, 280],
  [256, 256],
  [130, 130],
  [100, 100],
  [65, 65],
  [50, 50],
] as const;
const logo = (width: number, height: number) => `Logo ${width} x ${height}`;

/** Files of WhatsApp and Viber senders, beside the documents that countries ask for. */
const OWN_FILES = {
  warranty_letter: 'Warranty letter, on the company’s paper and signed',
  industry_letter: 'Licence for games or credit',
  logo_640x640: logo(640, 640),
  logo_360x280: logo(360, 280),
  logo_256x256: logo(256, 256),
  logo_130x130: logo(130, 130),
  logo_100x100: logo(100, 100),
  logo_65x65: logo(65, 65),
  logo_50x50: logo(50, 50),
} as const;
export const FILE_WORDS = { ...DOCUMENTS, ...OWN_FILES } as const;
export type FileKind = keyof typeof FILE_WORDS;
export const fileKind = z.enum(Object.keys(FILE_WORDS) as [FileKind]);

export interface AccessFile {
  readonly kind: FileKind;
  readonly required: boolean;
  readonly extensions: readonly string[];
  /** Exact, of pictures. */
  readonly dimensions: Dimensions | null;
}
const paper = (kind: FileKind, required = false): AccessFile => ({
  kind,
  required,
  extensions: ['.pdf'],
  dimensions: null,
});
const picture = (width: number, height: number): AccessFile => ({
  kind: `logo_${width}x${height}` as FileKind,
  required: true,
  extensions: ['.png'],
  dimensions: { width, height },
});

export const ACCESS_FILES: Readonly<Record<AccessKind, readonly AccessFile[]>> = {
  whatsapp: [picture(640, 640), paper('company_register'), paper('other')],
  viber: [
    paper('warranty_letter', true),
    ...LOGO_SIZES.map(([width, height]) => picture(width, height)),
    paper('industry_letter'),
    paper('other'),
  ],
};
export const accessFile = (kind: AccessKind, file: string): AccessFile | undefined =>
  ACCESS_FILES[kind].find((one) => one.kind === file);

/** Whoever offers games or credit shows that they may. */
export const LICENSED_INDUSTRIES: readonly number[] = [14];

/** What has to be attached, in the order in which it is asked for. */
export const accessFilesFor = (kind: AccessKind, form: { business_industry?: number | undefined } | null): FileKind[] =>
  ACCESS_FILES[kind]
    .filter(
      (file) =>
        file.required ||
        (file.kind === 'industry_letter' && LICENSED_INDUSTRIES.includes(form?.business_industry ?? 0)),
    )
    .map((file) => file.kind);
