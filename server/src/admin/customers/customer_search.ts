/** The account search, written as conditions that an index supports (see migration 0006). */
import { raw, type Sql, sql } from '../../kernel/db/db.ts';
import { prefixPattern } from '../../kernel/db/list.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The words in a company's name. The expression must match the index. */
export const nameWords: Sql = raw(
  "to_tsvector('simple', regexp_replace(lower(a.company_name), '[!-/:-@[-`{-~]+', ' ', 'g'))",
);

export const splitWords = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** All words as prefixes: `'harb':* & 'cof':*`. */
export const wordQuery = (words: readonly string[]): string => words.map((word) => `'${word}':*`).join(' & ');

/**
 * Matches the account `a` by its id, by words in its name, or by the beginning of an email address, an email domain, or
 * a sender's code or name.
 */
export function matchesSearch(search: string): Sql {
  const text = search.toLowerCase();
  if (UUID.test(text)) return sql`a.id = ${text}`;
  const words = splitWords(text);
  const prefix = prefixPattern(text);
  // Users often enter numbers with a leading plus sign.
  const code = prefixPattern(text.replace(/^\+/, ''));
  const domain = prefixPattern(text.replace(/^@/, ''));
  const byName =
    words.length > 0
      ? sql`select a.id from accounts a where ${nameWords} @@ ${wordQuery(words)}::tsquery union all`
      : sql``;
  return sql`a.id in (
    ${byName}
    select account_id from users where remove_date is null and lower(email) like ${prefix}
    union all
    select account_id from users where remove_date is null and split_part(lower(email), '@', 2) like ${domain}
    union all
    select account_id from senders where lower(code) like ${code}
    union all
    select account_id from senders where lower(name) like ${prefix})`;
}
