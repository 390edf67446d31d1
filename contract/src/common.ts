/** Shapes shared by every module: IDs, times, lists, names, and references from schemas to problems in the catalog. */
import { z } from 'zod';
import { isCountry } from './country.ts';
import type { ProblemName } from './problem.ts';

/**
 * The error text for a schema rule that has its own problem. The kernel and the forms replace it with the text from the
 * catalog.
 */
export const problem = (name: ProblemName): string => `#${name}`;

/**
 * A whole number with two bounds. The error message names both, regardless of which is exceeded (specification, section
 * 5).
 */
export function range(min: number, max: number) {
  const error = `must be between ${min} and ${max}`;
  return z.int().min(min, { error }).max(max, { error });
}

export const uuid = (code: ProblemName = 'VALUE_INVALID') => z.uuid({ error: problem(code) });
export const idParams = (code: ProblemName) => z.object({ id: uuid(code) });

/** An optional field. Many clients write null for a field that they leave out. */
export const optional = <T extends z.ZodType>(schema: T) => schema.nullish().transform((value) => value ?? undefined);

/** No phone number is negative, has a fraction, or is so large that digits were lost. The exponent shows the damage. */
const numberText = (value: number): string =>
  Number.isSafeInteger(value) && value >= 0 ? String(value) : value.toExponential();

/** A text that clients also send as a number, such as a phone number. */
export const textOrNumber = <T extends z.ZodType<string, string>>(text: T) =>
  z.preprocess((value) => (typeof value === 'number' ? numberText(value) : value), text);

/** UTC, `yyyy-MM-dd HH:mm:ss`. This is not the format `date-time` of JSON Schema, which requires a T and a zone. */
export const timestamp = z.string().meta({
  pattern: '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$',
  description: 'UTC, in the format `yyyy-MM-dd HH:mm:ss`.',
  examples: ['2027-01-31 09:00:00'],
});
/** Accepts a timestamp with or without seconds. Milliseconds are kept if given. */
export const timestampInput = (code: ProblemName) =>
  z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(:\d{2})?(\.\d+)?Z?$/, { error: problem(code) })
    .refine(exists, { error: problem(code) })
    .meta({
      description: 'UTC, in the format `yyyy-MM-dd HH:mm:ss`. The seconds are optional.',
      examples: ['2027-01-31 09:00:00'],
    })
    .transform(toWireFormat);

/** The time in a filter that a date without a time stands for. */
const DAY = { start: ' 00:00:00', end: ' 23:59:59' } as const;

/** The first or the last time that a list contains. A date without a time means the whole day. */
export const timestampFilter = (edge: keyof typeof DAY) =>
  z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}([ T]\d{2}:\d{2}(:\d{2})?(\.\d+)?Z?)?$/, { error: problem('VALUE_INVALID') })
    .refine((text) => exists(withTime(text, edge)), { error: problem('VALUE_INVALID') })
    .meta({
      description:
        `UTC, in the format \`yyyy-MM-dd HH:mm:ss\` or \`yyyy-MM-dd\`. A date alone means the ${edge} of the ` +
        'day. Rows at this time are included.',
      examples: ['2027-01-31', '2027-01-31 09:00:00'],
    })
    .transform((text) => toWireFormat(withTime(text, edge)));

const withTime = (text: string, edge: keyof typeof DAY): string => (text.length === 10 ? text + DAY[edge] : text);

function toWireFormat(text: string): string {
  return parseTimestamp(text)
    .toISOString()
    .slice(0, 23)
    .replace('T', ' ')
    .replace(/\.000$/, '');
}

/** Parses the wire format, with or without seconds, as UTC. */
export function parseTimestamp(text: string): Date {
  return new Date(`${text.replace(' ', 'T').replace(/Z$/, '')}Z`);
}

/** True if the time exists and is not before 1970. For example, February has no 30th day, and a day has no hour 24. */
export function exists(text: string): boolean {
  const date = parseTimestamp(text);
  return date.getTime() >= 0 && date.toISOString().slice(0, 10) === text.slice(0, 10);
}

/** Micro-units of the account's currency: 1 USD = 1,000,000. */
export const micros = z.int();
export const CURRENCIES = ['USD', 'EUR', 'AMD', 'RUB', 'AED'] as const;
export const currency = z.enum(CURRENCIES);

const PAGE_SIZES = [10, 20, 50, 100] as const;
export const DEFAULT_PAGE_SIZE = 10;
const ALL_PAGE_SIZES: readonly number[] = [...PAGE_SIZES, 300, 1000];

const pageNumber = z.coerce.number().int().min(0).max(1_000_000).default(1);
/** Screens offer 10, 20, 50, and 100. Pickers use 300 and 1000. Any other value becomes 10, as clients expect. */
const pageSize = z
  .unknown()
  .transform((value) => Number(value))
  .transform((size) => (ALL_PAGE_SIZES.includes(size) ? size : DEFAULT_PAGE_SIZE))
  .meta({
    type: 'integer',
    enum: ALL_PAGE_SIZES,
    description: 'The maximum number of rows per page. The default is 10.',
  });

/** The query of a list call: `page`, `page_size`, `page_token`, and `filter[...]`. Page 0 means page 1. */
export function listQuery<F extends z.ZodRawShape>(filter: F) {
  return z.object({
    page: pageNumber.transform((page) => Math.max(1, page)).optional(),
    page_size: pageSize.optional(),
    page_token: z
      .string()
      .max(200)
      .optional()
      .meta({ description: 'From `pagination.links.next` of the previous page.' }),
    filter: z.object(filter).partial().optional(),
  });
}

/** Lists count their rows up to this number, unless `count=exact` is sent. */
export const COUNT_LIMIT = 10_000;

/** The parameter `count` of lists that count all rows on request, however many. */
export const exactCount = z
  .enum(['exact'])
  .optional()
  .meta({ description: '`exact` counts all rows, even above 10,000. This is slower.' });

/** Parses `a,b,c` from the wire into an array. */
export const commaList = <T extends z.ZodType<string, string>>(item: T) =>
  z
    .union([z.string(), z.array(z.string())])
    .transform((value) => (Array.isArray(value) ? value : value.split(',')).map((part) => part.trim()).filter(Boolean))
    .pipe(z.array(item).max(200));

const plainWord = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/(?<=\w)[\s-]+(?=\w)/g, '_');

/**
 * Returns the enum value that matches the text in any case and with spaces or hyphens, so that "Toll-free" matches
 * `toll_free`. Returns any other text unchanged.
 */
export function matchWord(words: readonly unknown[], text: string, names: Names = {}): string {
  if (words.includes(text)) return text;
  const plain = plainWord(text);
  const word = words.find((one): one is string => typeof one === 'string' && plainWord(one) === plain);
  return word ?? (Object.hasOwn(names, plain) ? names[plain]! : text);
}

/** Aliases of enum values, in lower case with underscores. */
type Names = Readonly<Record<string, string>>;

/** Like `commaList`, for enum values. */
export const wordList = <T extends string>(words: readonly T[], code: ProblemName = 'VALUE_INVALID') =>
  commaList(z.string())
    .transform((parts) => parts.map((part) => matchWord(words, part)))
    .pipe(z.array(z.enum(words, code === 'VALUE_INVALID' ? undefined : { error: problem(code) })));

/** A value from a fixed set, with its own problem. */
export const enumInput = <T extends string>(words: readonly T[], code: ProblemName, names?: Names) =>
  z
    .string({ error: problem(code) })
    .transform((text) => matchWord(words, text, names))
    .pipe(z.enum(words, { error: problem(code) }));

/** An enum value in the filter of a list. An empty text means no filter. */
export const filterWord = <T extends string>(words: readonly T[], code: ProblemName, names?: Names) =>
  z
    .string()
    .transform((text) => matchWord(words, text, names).trim() || undefined)
    .pipe(z.enum(words, { error: problem(code) }).optional());

export const search = z.string().trim().max(100);

// Characters that join letters in scripts that need them, and parts of emoji. They count as visible although they have
// no shape.
const SCRIPTS = 'Arab Syrc Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mong'.split(' ');
const JOINERS = new RegExp(
  [
    `(?<=[${SCRIPTS.map((script) => `\\p{sc=${script}}`).join('')}])[\\u200c\\u200d](?=\\p{L})`,
    '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}])\\ufe0f?\\u200d(?=\\p{Extended_Pictographic})',
    '(?<=\\p{Extended_Pictographic})[\\ufe0e\\ufe0f]',
  ].join('|'),
  'gu',
);
// Includes characters that change the text direction, and letters that look blank (Hangul fillers).
const INVISIBLE = /[\p{Cc}\p{Cf}\p{DI}]/u;

/**
 * Names of people and companies, which other people see in lists, logs and emails. Every character is visible, the name
 * stays on one line and in one direction, and its spelling is normalized (one form of each letter, one space between
 * words). It may be empty if `min` is 0.
 */
export function plainName({ min = 0, max, missing }: { min?: number; max: number; missing?: ProblemName }) {
  return z
    .string()
    .transform((text) => text.normalize('NFC').replace(/\s+/gu, ' ').trim())
    .pipe(
      z
        .string()
        .min(min, missing === undefined ? undefined : { error: problem(missing) })
        .max(max)
        .refine((text) => !INVISIBLE.test(text.replace(JOINERS, '')), {
          error: 'must not contain invisible characters',
        })
        .refine((text) => text === '' || /[\p{L}\p{N}]/u.test(text), { error: 'must contain a letter or a digit' }),
    );
}
export const companyName = plainName({ min: 2, max: 100 });

/** ISO 3166-1 alpha-2, upper case. */
export const country = (code: ProblemName = 'COUNTRY_CODE_INVALID') =>
  z
    .string({ error: problem(code) })
    .transform((text) => text.toUpperCase())
    .pipe(z.string().refine(isCountry, { error: problem(code) }));
