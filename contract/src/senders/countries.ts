/**
 * Which sender types each country allows. Facts as of 2026 in our own words. Carriers change them, so operators may
 * have to correct a row. `no`: carriers do not take it; `open`: usable without registration; `register`: only after
 * approval.
 */
import type { SENDER_TYPES, SMS_SENDER_TYPES } from './senders.ts';

type SenderType = (typeof SMS_SENDER_TYPES)[number];
export type RuleState = 'no' | 'open' | 'register';

export const DOCUMENTS = {
  letter_of_authorization: 'Letter of authorization, on the company’s paper and signed',
  company_register: 'Extract of the company register, not older than six months',
  trademark: 'Proof that the name is yours: trademark, domain or company name',
  opt_in_image: 'Picture of the place where people agree to get messages',
  sweepstakes_terms: 'Terms of the sweepstake or game',
  other: 'Another document',
} as const;
export type DocumentKind = keyof typeof DOCUMENTS;

export interface TypeRule {
  readonly type: SenderType;
  readonly state: RuleState;
  /** People can answer. */
  readonly two_way: boolean;
  /** From the request to the decision, in working days; null where nothing is decided. */
  readonly expected_days: readonly [number, number] | null;
  readonly documents: readonly DocumentKind[];
  readonly note: string;
}

export interface CountryRule {
  readonly country: string;
  readonly types: readonly TypeRule[];
  /** No marketing from `from` to `to`, in the time of the person. */
  readonly quiet_hours: { readonly from: string; readonly to: string; readonly note: string } | null;
  /** What marketing must say about how to end it; empty: nothing in particular. */
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
const name = (note = 'The name must be yours: a brand, a company name or a domain.'): Cell => ['open', note, [1, 2]];
const named = (note: string, days: readonly [number, number], documents: readonly DocumentKind[]): Cell => [
  'register',
  note,
  days,
  documents,
];
const mobile: Cell = ['open', 'Sends and receives at once.'];
const lease = (days: readonly [number, number]): Cell => [
  'register',
  'Leased for you alone; each carrier approves the program.',
  days,
  ['letter_of_authorization'],
];
const STOP = 'Reply STOP to end';

const ROWS: Readonly<Record<string, Row>> = {
  US: {
    alphanumeric: ['no', 'Carriers of the United States do not take names.'],
    local: ['register', 'Company and purpose are registered with The Campaign Registry (10DLC) first.', [5, 15]],
    toll_free: ['register', 'Verified before it may send; until then carriers block it.', [5, 10], ['opt_in_image']],
    short_code: lease([40, 60]),
    quiet: ['21:00', '08:00', 'Florida, Oklahoma and Washington end at 20:00.'],
    opt_out: STOP,
  },
  CA: {
    alphanumeric: ['no', 'Carriers of Canada do not take names.'],
    local: ['open', 'Programs that also write to the United States are registered there.'],
    toll_free: ['register', 'Verified together with the United States.', [5, 10], ['opt_in_image']],
    short_code: lease([40, 60]),
    quiet: ['21:30', '09:00', 'At weekends from 18:00 to 10:00.'],
    opt_out: 'Reply STOP or ARRET to end',
  },
  GB: {
    alphanumeric: name('Names that look like a bank, a parcel service or an authority are refused.'),
    mobile,
    short_code: lease([20, 40]),
    quiet: ['20:00', '08:00'],
    opt_out: STOP,
  },
  IE: {
    alphanumeric: named(
      'Names are kept in the register of the regulator; others are marked as likely scam.',
      [5, 10],
      ['letter_of_authorization', 'company_register'],
    ),
    mobile,
    quiet: ['20:00', '08:00'],
    opt_out: STOP,
  },
  AU: {
    alphanumeric: named(
      'Names are kept in the register of the regulator; others are marked as likely scam.',
      [5, 10],
      ['letter_of_authorization', 'trademark'],
    ),
    mobile,
    quiet: ['20:00', '09:00', 'None on Sundays and public holidays.'],
    opt_out: STOP,
  },
  NZ: {
    alphanumeric: ['no', 'Carriers of New Zealand do not take names.'],
    short_code: lease([30, 60]),
    opt_out: STOP,
  },
  DE: {
    alphanumeric: name(),
    mobile,
    short_code: lease([20, 40]),
    quiet: ['21:00', '08:00', 'By custom, none on Sundays.'],
    opt_out: 'A way to end it in every message',
  },
  FR: {
    alphanumeric: name('Only for companies that people know by this name.'),
    mobile: NO,
    short_code: lease([20, 30]),
    quiet: ['20:00', '08:00', 'None on Sundays and public holidays.'],
    opt_out: 'STOP with the number it is sent to',
  },
  ES: {
    alphanumeric: named(
      'Names are kept in the register of the market authority.',
      [5, 15],
      ['letter_of_authorization', 'company_register'],
    ),
    mobile,
    quiet: ['21:00', '09:00'],
    opt_out: 'A way to end it in every message',
  },
  IT: {
    alphanumeric: ['register', 'Names are declared to the regulator as aliases.', [3, 7], ['company_register']],
    mobile,
    quiet: ['21:00', '09:00'],
    opt_out: 'A way to end it in every message',
  },
  NL: { alphanumeric: name(), mobile, short_code: lease([20, 30]), quiet: ['21:00', '08:00'], opt_out: STOP },
  BE: {
    alphanumeric: ['no', 'Carriers change names into short codes.'],
    mobile,
    short_code: lease([20, 40]),
    quiet: ['21:00', '08:00'],
    opt_out: STOP,
  },
  AT: { alphanumeric: name(), mobile, quiet: ['21:00', '08:00'], opt_out: 'A way to end it in every message' },
  CH: {
    alphanumeric: name(),
    mobile,
    short_code: lease([20, 40]),
    quiet: ['21:00', '08:00'],
    opt_out: 'A way to end it in every message',
  },
  SE: { alphanumeric: name(), mobile, short_code: lease([15, 30]), quiet: ['21:00', '08:00'], opt_out: STOP },
  FI: {
    alphanumeric: named(
      'Names are kept in the register of the authority, which protects them.',
      [5, 10],
      ['letter_of_authorization'],
    ),
    mobile,
    quiet: ['21:00', '08:00'],
    opt_out: STOP,
  },
  PL: {
    alphanumeric: name('Names of public bodies are reserved.'),
    mobile,
    short_code: lease([15, 30]),
    quiet: ['21:00', '08:00'],
    opt_out: STOP,
  },
  AM: {
    alphanumeric: named('Carriers approve each name.', [3, 7], ['letter_of_authorization']),
    short_code: lease([15, 30]),
    quiet: ['22:00', '09:00'],
    opt_out: STOP,
  },
  AE: {
    alphanumeric: named(
      'Carriers approve each name; marketing begins with AD-.',
      [5, 15],
      ['letter_of_authorization', 'company_register'],
    ),
    quiet: ['21:00', '07:00'],
    opt_out: 'The way to end it that your carrier assigns',
  },
  SA: {
    alphanumeric: named(
      'Carriers approve each name; marketing ends with -AD.',
      [5, 15],
      ['letter_of_authorization', 'company_register'],
    ),
    quiet: ['22:00', '09:00'],
    opt_out: 'The way to end it that your carrier assigns',
  },
  IN: {
    alphanumeric: named(
      'Company, name and every template are registered on the carriers’ ledger (DLT).',
      [7, 15],
      ['letter_of_authorization', 'company_register'],
    ),
    quiet: ['21:00', '10:00'],
    opt_out: 'The way to end it of your registration',
  },
  SG: {
    alphanumeric: named(
      'Names are kept in the national registry (SSIR); others arrive as Likely-SCAM.',
      [5, 10],
      ['company_register'],
    ),
    quiet: ['21:00', '08:00'],
    opt_out: 'A way to end it in every message',
  },
  PH: { alphanumeric: named('Carriers approve each name.', [5, 10], ['letter_of_authorization']), opt_out: STOP },
  TH: {
    alphanumeric: named('Carriers approve each name.', [5, 15], ['letter_of_authorization', 'company_register']),
    quiet: ['20:00', '08:00'],
    opt_out: '',
  },
  KZ: { alphanumeric: named('Carriers approve each name.', [5, 10], ['letter_of_authorization']), opt_out: '' },
  EG: {
    alphanumeric: named('Carriers approve each name.', [5, 15], ['letter_of_authorization', 'company_register']),
    opt_out: '',
  },
  KE: {
    alphanumeric: named('Carriers approve each name.', [5, 15], ['letter_of_authorization', 'company_register']),
    short_code: lease([20, 40]),
    opt_out: 'STOP with the number it is sent to',
  },
  CN: { alphanumeric: ['no', 'Carriers of China do not take names.'], opt_out: '' },
};

const UNKNOWN: Row = {
  alphanumeric: ['open', 'No rule of its own is known here; our team asks the carriers.', [2, 10]],
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

export function rulesOf(country: string): CountryRule {
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

export const ruleOf = (country: string, type: SenderType): TypeRule =>
  rulesOf(country).types.find((rule) => rule.type === type)!;

/** WhatsApp and Viber look at a company, not at a country. */
const BUSINESS_DAYS = [5, 7] as const;

/**
 * The longest time of all countries, since a request is decided for all of them together. Names wait for our review
 * even where no carrier requires one.
 */
export function expectedDays(
  countries: readonly string[],
  type: (typeof SENDER_TYPES)[number],
): readonly [number, number] {
  if (type === 'business') return BUSINESS_DAYS;
  const days = countries.flatMap((country) => {
    const { expected_days } = ruleOf(country, type);
    return expected_days ? [expected_days] : [];
  });
  return days.length === 0
    ? [1, 2]
    : [Math.max(...days.map(([least]) => least)), Math.max(...days.map(([, most]) => most))];
}

/** What these countries ask for, each once. Of WhatsApp and Viber no country asks for anything. */
export const documentsFor = (countries: readonly string[], type: (typeof SENDER_TYPES)[number]): DocumentKind[] =>
  type === 'business' ? [] : [...new Set(countries.flatMap((country) => ruleOf(country, type).documents))];
