/**
 * Sender types that each country allows, as of 2026. Carriers change their rules, so operators may have to correct a
 * row. `no`: carriers do not accept it. `open`: usable without registration. `register`: usable after approval.
 */
import type { SENDER_TYPES, SMS_SENDER_TYPES } from './senders.ts';

type SenderType = (typeof SMS_SENDER_TYPES)[number];
export type RuleState = 'no' | 'open' | 'register';

export const DOCUMENTS = {
  letter_of_authorization: 'Letter of authorization, signed and on company letterhead',
  company_register: 'Business registry extract, no older than six months',
  trademark: 'Proof that you own the name: trademark, domain, or company name',
  opt_in_image: 'Screenshot or photo of the opt-in',
  sweepstakes_terms: 'Terms of the sweepstakes or contest',
  other: 'Other document',
} as const;
export type DocumentKind = keyof typeof DOCUMENTS;

export interface TypeRule {
  readonly type: SenderType;
  readonly state: RuleState;
  /** True if people can reply. */
  readonly two_way: boolean;
  /** Business days from request to decision; null if no decision is needed. */
  readonly expected_days: readonly [number, number] | null;
  readonly documents: readonly DocumentKind[];
  readonly note: string;
}

export interface CountryRule {
  readonly country: string;
  readonly types: readonly TypeRule[];
  /** Marketing is not allowed from `from` to `to`, in the recipient's local time. */
  readonly quiet_hours: { readonly from: string; readonly to: string; readonly note: string } | null;
  /** The opt-out instructions that marketing must contain; empty if there is no rule. */
  readonly opt_out_text: string;
}

type Cell = readonly [
  state: RuleState,
  note?: string,
  days?: readonly [number, number],
  documents?: readonly DocumentKind[],
];
interface Row {
  readonly alphanumeric: Cell;
  readonly local?: Cell;
  readonly mobile?: Cell;
  readonly toll_free?: Cell;
  readonly short_code?: Cell;
  readonly quiet?: readonly [from: string, to: string, note?: string];
  readonly opt_out?: string;
}

const NO: Cell = ['no'];
const openName = (note = 'You must own the name as a brand, company name, or domain.'): Cell => ['open', note, [1, 2]];
const registeredName = (note: string, days: readonly [number, number], documents: readonly DocumentKind[]): Cell => [
  'register',
  note,
  days,
  documents,
];
const mobile: Cell = ['open', 'Can send and receive immediately.'];
const dedicated = (days: readonly [number, number]): Cell => [
  'register',
  'A dedicated code. Each carrier must approve the program.',
  days,
  ['letter_of_authorization'],
];
const STOP = 'Reply STOP to end';

const ROWS: Readonly<Record<string, Row>> = {
  US: {
    alphanumeric: ['no', 'Carriers in the United States do not accept sender IDs.'],
    local: ['register', 'The company and the purpose must be registered with The Campaign Registry (10DLC).', [5, 15]],
    toll_free: ['register', 'The number must be verified. Until then, carriers block it.', [5, 10], ['opt_in_image']],
    short_code: dedicated([40, 60]),
    quiet: ['21:00', '08:00', 'In Florida, Oklahoma, and Washington, from 20:00.'],
    opt_out: STOP,
  },
  CA: {
    alphanumeric: ['no', 'Carriers in Canada do not accept sender IDs.'],
    local: ['open', 'Programs that also send to the United States must be registered there.'],
    toll_free: ['register', 'The verification also covers the United States.', [5, 10], ['opt_in_image']],
    short_code: dedicated([40, 60]),
    quiet: ['21:30', '09:00', 'On weekends, from 18:00 to 10:00.'],
    opt_out: 'Reply STOP or ARRET to end',
  },
  GB: {
    alphanumeric: openName('Names that imitate banks, parcel services, or public authorities are rejected.'),
    mobile,
    short_code: dedicated([20, 40]),
    quiet: ['20:00', '08:00'],
    opt_out: STOP,
  },
  IE: {
    alphanumeric: registeredName(
      'Names must be listed in the regulator’s registry. Other names are marked as likely scams.',
      [5, 10],
      ['letter_of_authorization', 'company_register'],
    ),
    mobile,
    quiet: ['20:00', '08:00'],
    opt_out: STOP,
  },
  AU: {
    alphanumeric: registeredName(
      'Names must be listed in the regulator’s registry. Other names are marked as likely scams.',
      [5, 10],
      ['letter_of_authorization', 'trademark'],
    ),
    mobile,
    quiet: ['20:00', '09:00', 'No marketing on Sundays or public holidays.'],
    opt_out: STOP,
  },
  NZ: {
    alphanumeric: ['no', 'Carriers in New Zealand do not accept sender IDs.'],
    short_code: dedicated([30, 60]),
    opt_out: STOP,
  },
  DE: {
    alphanumeric: openName(),
    mobile,
    short_code: dedicated([20, 40]),
    quiet: ['21:00', '08:00', 'By custom, no marketing on Sundays.'],
    opt_out: 'Opt-out instructions',
  },
  FR: {
    alphanumeric: openName('Only for companies that are known by this name.'),
    mobile: NO,
    short_code: dedicated([20, 30]),
    quiet: ['20:00', '08:00', 'No marketing on Sundays or public holidays.'],
    opt_out: 'STOP and the number to send it to',
  },
  ES: {
    alphanumeric: registeredName(
      'Names must be listed in the market regulator’s registry.',
      [5, 15],
      ['letter_of_authorization', 'company_register'],
    ),
    mobile,
    quiet: ['21:00', '09:00'],
    opt_out: 'Opt-out instructions',
  },
  IT: {
    alphanumeric: ['register', 'Names must be declared to the regulator as aliases.', [3, 7], ['company_register']],
    mobile,
    quiet: ['21:00', '09:00'],
    opt_out: 'Opt-out instructions',
  },
  NL: { alphanumeric: openName(), mobile, short_code: dedicated([20, 30]), quiet: ['21:00', '08:00'], opt_out: STOP },
  BE: {
    alphanumeric: ['no', 'Carriers replace names with short codes.'],
    mobile,
    short_code: dedicated([20, 40]),
    quiet: ['21:00', '08:00'],
    opt_out: STOP,
  },
  AT: { alphanumeric: openName(), mobile, quiet: ['21:00', '08:00'], opt_out: 'Opt-out instructions' },
  CH: {
    alphanumeric: openName(),
    mobile,
    short_code: dedicated([20, 40]),
    quiet: ['21:00', '08:00'],
    opt_out: 'Opt-out instructions',
  },
  SE: { alphanumeric: openName(), mobile, short_code: dedicated([15, 30]), quiet: ['21:00', '08:00'], opt_out: STOP },
  FI: {
    alphanumeric: registeredName(
      'Names must be listed in the regulator’s registry, which protects them.',
      [5, 10],
      ['letter_of_authorization'],
    ),
    mobile,
    quiet: ['21:00', '08:00'],
    opt_out: STOP,
  },
  PL: {
    alphanumeric: openName('Names of public bodies are reserved.'),
    mobile,
    short_code: dedicated([15, 30]),
    quiet: ['21:00', '08:00'],
    opt_out: STOP,
  },
  AM: {
    alphanumeric: registeredName('Carriers must approve each name.', [3, 7], ['letter_of_authorization']),
    short_code: dedicated([15, 30]),
    quiet: ['22:00', '09:00'],
    opt_out: STOP,
  },
  AE: {
    alphanumeric: registeredName(
      'Carriers must approve each name. Marketing names begin with AD-.',
      [5, 15],
      ['letter_of_authorization', 'company_register'],
    ),
    quiet: ['21:00', '07:00'],
    opt_out: 'The opt-out that your carrier assigns',
  },
  SA: {
    alphanumeric: registeredName(
      'Carriers must approve each name. Marketing names end with -AD.',
      [5, 15],
      ['letter_of_authorization', 'company_register'],
    ),
    quiet: ['22:00', '09:00'],
    opt_out: 'The opt-out that your carrier assigns',
  },
  IN: {
    alphanumeric: registeredName(
      'The company, the name, and every template must be registered on the carriers’ platform (DLT).',
      [7, 15],
      ['letter_of_authorization', 'company_register'],
    ),
    quiet: ['21:00', '10:00'],
    opt_out: 'The opt-out from your registration',
  },
  SG: {
    alphanumeric: registeredName(
      'Names must be listed in the national registry (SSIR). Other names are shown as Likely-SCAM.',
      [5, 10],
      ['company_register'],
    ),
    quiet: ['21:00', '08:00'],
    opt_out: 'Opt-out instructions',
  },
  PH: {
    alphanumeric: registeredName('Carriers must approve each name.', [5, 10], ['letter_of_authorization']),
    opt_out: STOP,
  },
  TH: {
    alphanumeric: registeredName(
      'Carriers must approve each name.',
      [5, 15],
      ['letter_of_authorization', 'company_register'],
    ),
    quiet: ['20:00', '08:00'],
    opt_out: '',
  },
  KZ: {
    alphanumeric: registeredName('Carriers must approve each name.', [5, 10], ['letter_of_authorization']),
    opt_out: '',
  },
  EG: {
    alphanumeric: registeredName(
      'Carriers must approve each name.',
      [5, 15],
      ['letter_of_authorization', 'company_register'],
    ),
    opt_out: '',
  },
  KE: {
    alphanumeric: registeredName(
      'Carriers must approve each name.',
      [5, 15],
      ['letter_of_authorization', 'company_register'],
    ),
    short_code: dedicated([20, 40]),
    opt_out: 'STOP and the number to send it to',
  },
  CN: { alphanumeric: ['no', 'Carriers in China do not accept sender IDs.'], opt_out: '' },
};

const UNKNOWN: Row = {
  alphanumeric: ['open', 'We do not have rules for this country yet. Our team will check with the carriers.', [2, 10]],
};

const TWO_WAY: Readonly<Record<SenderType, boolean>> = {
  local: true,
  mobile: true,
  toll_free: true,
  short_code: true,
  alphanumeric: false,
};
const TYPES = Object.keys(TWO_WAY) as SenderType[];

export const RULED_COUNTRIES: readonly string[] = Object.keys(ROWS);

export function countryRules(country: string): CountryRule {
  const row = ROWS[country] ?? UNKNOWN;
  return {
    country,
    types: TYPES.map((type) => {
      const [state, note = '', days, documents = []] = row[type] ?? NO;
      return { type, state, two_way: state !== 'no' && TWO_WAY[type], expected_days: days ?? null, documents, note };
    }),
    quiet_hours: row.quiet ? { from: row.quiet[0], to: row.quiet[1], note: row.quiet[2] ?? '' } : null,
    opt_out_text: row.opt_out ?? '',
  };
}

export const senderTypeRule = (country: string, type: SenderType): TypeRule =>
  countryRules(country).types.find((rule) => rule.type === type)!;

/** WhatsApp and Viber review companies, regardless of the country. */
const BUSINESS_DAYS = [5, 7] as const;

/**
 * Returns the longest time among the countries, because a request is decided for all of them together. Operators review
 * sender IDs even if no carrier requires it.
 */
export function expectedDays(
  countries: readonly string[],
  type: (typeof SENDER_TYPES)[number],
): readonly [number, number] {
  if (type === 'business') return BUSINESS_DAYS;
  const days = countries.flatMap((country) => {
    const { expected_days } = senderTypeRule(country, type);
    return expected_days ? [expected_days] : [];
  });
  return days.length === 0
    ? [1, 2]
    : [Math.max(...days.map(([least]) => least)), Math.max(...days.map(([, most]) => most))];
}

/** Documents that these countries require, without duplicates. No country requires documents for WhatsApp or Viber. */
export const documentsFor = (countries: readonly string[], type: (typeof SENDER_TYPES)[number]): DocumentKind[] =>
  type === 'business' ? [] : [...new Set(countries.flatMap((country) => senderTypeRule(country, type).documents))];
