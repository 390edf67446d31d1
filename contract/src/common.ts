/** Shapes shared by every module: ids, times, lists, names, and how a schema names a problem of the catalogue. */
import { z } from 'zod';
import { isCountry } from './country.ts';
import type { ProblemName } from './problem.ts';

/** The error text of a schema rule that has a code of its own; the kernel and the forms turn it into the catalogue's message. */
export const problem = (name: ProblemName): string => `#${name}`;

/** A whole number with both bounds: whichever is passed, the message names the two (specification, section 5). */
export function range(min: number, max: number) {
  const error = `must be between ${min} and ${max}`;
  return z.int().min(min, { error }).max(max, { error });
}

export const uuid = (code: ProblemName = 'VALUE_INVALID') => z.uuid({ error: problem(code) });
export const idParams = (code: ProblemName) => z.object({ id: uuid(code) });

/** UTC, `yyyy-MM-dd HH:mm:ss`. */
export const timestamp = z.string().meta({ format: 'date-time', description: 'UTC, yyyy-MM-dd HH:mm:ss' });
/** Milliseconds are kept when they are given. */
export const timestampInput = (code: ProblemName) =>
  z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(:\d{2})?(\.\d+)?Z?$/, { error: problem(code) })
    // Nothing here is older than the epoch, and PostgreSQL has no year 0.
    .refine((text) => parseTimestamp(text).getTime() >= 0, { error: problem(code) })
    .transform((text) =>
      parseTimestamp(text)
        .toISOString()
        .slice(0, 23)
        .replace('T', ' ')
        .replace(/\.000$/, ''),
    );

/** Reads our wire form, with or without seconds, as UTC. */
export function parseTimestamp(text: string): Date {
  return new Date(`${text.replace(' ', 'T').replace(/Z$/, '')}Z`);
}

/** Micro-units of the account's currency: 1 USD = 1,000,000. */
export const micros = z.int();
export const CURRENCIES = ['USD', 'EUR', 'AMD', 'RUB', 'AED'] as const;
export const currency = z.enum(CURRENCIES);

export const PAGE_SIZES = [10, 20, 50, 100] as const;
export const DEFAULT_PAGE_SIZE = 10;

const pageNumber = z.coerce.number().int().min(0).max(1_000_000).default(1);
/** 10, 20, 50 and 100 as offered; 300 and 1000 are used by pickers; anything else falls back to 10, as clients expect. */
const pageSize = z
  .unknown()
  .transform((value) => Number(value))
  .transform((size) => ([...PAGE_SIZES, 300, 1000].includes(size) ? size : DEFAULT_PAGE_SIZE));

/** The query of a list call: `page`, `page_size`, `page_token` and `filter[...]`. Page 0 means page 1. */
export function listQuery<F extends z.ZodRawShape>(filter: F) {
  return z.object({
    page: pageNumber.transform((page) => Math.max(1, page)).optional(),
    page_size: pageSize.optional(),
    page_token: z.string().max(200).optional(),
    filter: z.object(filter).partial().optional(),
  });
}

/** `a,b,c` on the wire, an array inside. */
export const commaList = <T extends z.ZodType<string, string>>(item: T) =>
  z
    .union([z.string(), z.array(z.string())])
    .transform((value) => (Array.isArray(value) ? value : value.split(',')).map((part) => part.trim()).filter(Boolean))
    .pipe(z.array(item).max(200));

/** One of a few words, as people write them too: "Toll-free" is `toll_free`. */
export const wordOf = <T extends string>(words: readonly T[], code: ProblemName) =>
  z
    .string({ error: problem(code) })
    .transform((text) =>
      text
        .trim()
        .toLowerCase()
        .replace(/[\s-]+/g, '_'),
    )
    .pipe(z.enum(words, { error: problem(code) }));

export const search = z.string().trim().max(100);

// What joins letters where a script needs it, and what belongs to a picture: seen, though it has no form of its own.
const JOINS =
  /(?<=[\p{sc=Arab}\p{sc=Syrc}\p{sc=Deva}\p{sc=Beng}\p{sc=Guru}\p{sc=Gujr}\p{sc=Orya}\p{sc=Taml}\p{sc=Telu}\p{sc=Knda}\p{sc=Mlym}\p{sc=Sinh}\p{sc=Khmr}\p{sc=Mong}])[\u200c\u200d](?=\p{L})|(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}])\ufe0f?\u200d(?=\p{Extended_Pictographic})|(?<=\p{Extended_Pictographic})[\ufe0e\ufe0f]/gu;
// Also what turns the text around it, and letters that are blanks (Hangul fillers).
const UNSEEN = /[\p{Cc}\p{Cf}\p{DI}]/u;

/**
 * What people and companies are called, which stands in lists, logs and mails of others: what is there can be seen and stays in its own line and
 * direction, and looks one way only (one form of each letter, one blank between words). Empty where `min` is 0.
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
        .refine((text) => !UNSEEN.test(text.replace(JOINS, '')), { error: 'leave out characters that cannot be seen' })
        .refine((text) => text === '' || /[\p{L}\p{N}]/u.test(text), { error: 'needs a letter or a digit' }),
    );
}
export const companyName = plainName({ min: 2, max: 100 });

/** ISO 3166-1 alpha-2, upper case. */
export const country = (code: ProblemName = 'COUNTRY_CODE_INVALID') =>
  z
    .string({ error: problem(code) })
    .transform((text) => text.toUpperCase())
    .pipe(z.string().refine(isCountry, { error: problem(code) }));
export const nothing = z.null();
