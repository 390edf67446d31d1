/**
 * Automatic checks on a request. The operator sees each finding, but no finding decides the request: a free email
 * address alone is not a reason to reject. The company's website is requested through the guarded connector, because
 * customers enter its URL.
 */
import type { RequestFinding as Finding } from '@parley/contract/admin/requests.ts';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import type { Outbound } from '../../kernel/http/outbound.ts';
import { OutboundError } from '../../kernel/http/outbound.ts';
import { splitWords } from '../customers/customer_search.ts';
import { isFreeMail } from './free_mail.ts';

export const good = (text: string): Finding => ({ level: 'good', text });
export const warning = (text: string): Finding => ({ level: 'warning', text });

/** The time limit is long enough for a page to start loading. The operator's panel waits for the result. */
const WEBSITE_MS = 3_000;

const country_names = new Intl.DisplayNames('en', { type: 'region' });

export function phoneFinding(phone_number: string | null, country_code: string): Finding {
  if (!phone_number) return warning('The owner has no phone number yet');
  const country = parsePhoneNumberFromString(`+${phone_number}`)?.country;
  if (!country) return warning('The country of the owner’s phone number is unknown');
  const name = country_names.of(country) ?? country;
  return country === country_code
    ? good(`The owner’s phone number is from ${name}, the company’s country`)
    : warning(
        `The owner’s phone number is from ${name}, but the company is in ` +
          `${country_names.of(country_code) ?? country_code}`,
      );
}

const emailDomain = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase();

export function mailFinding(email: string): Finding {
  const domain = emailDomain(email);
  return isFreeMail(domain)
    ? warning(
        `${domain} is a free email provider, so the owner’s address does not prove that they belong to the company`,
      )
    : good(`The owner’s email address is at ${domain}, which is not a free email provider`);
}

/** True for `shop.example.co.uk` and `example.co.uk`. A leading `www.` makes no difference. */
export const sameDomain = (one: string, other: string): boolean => {
  const [a, b] = [one, other].map((name) =>
    name
      .toLowerCase()
      .replace(/^www\./, '')
      .replace(/\.$/, ''),
  ) as [string, string];
  return a === b || a.endsWith(`.${b}`) || b.endsWith(`.${a}`);
};

export async function findWebsiteProblems(outbound: Outbound, website: string, email: string): Promise<Finding[]> {
  if (!website) return [warning('The company did not provide a website')];
  if (!URL.canParse(website)) return [warning('The website URL is not valid')];
  const { hostname } = new URL(website);
  const findings = [await checkReach(outbound, website, hostname)];
  const domain = emailDomain(email);
  if (!isFreeMail(domain))
    findings.push(
      sameDomain(hostname, domain)
        ? good('The website and the owner’s email address use the same domain')
        : warning(`The website is at ${hostname}, but the owner’s email address is at ${domain}`),
    );
  return findings;
}

async function checkReach(outbound: Outbound, website: string, hostname: string): Promise<Finding> {
  const { host, error } = await resolveHost(outbound, website);
  if (error !== undefined) return warning(`The website ${error}`);
  return sameDomain(host, hostname) ? good('The website can be reached') : warning(`The website redirects to ${host}`);
}

/** Follows redirects from the URL and returns the final host, or the error. */
export async function resolveHost(
  outbound: Outbound,
  url: string,
): Promise<{ host: string; error?: undefined } | { host?: undefined; error: string }> {
  try {
    const response = await outbound.fetch(url, { timeout_ms: WEBSITE_MS, redirects: 3, max_bytes: 4_096 });
    if (response.status >= 400) return { error: `responds with status ${response.status}` };
    return { host: new URL(response.url).hostname };
  } catch (error) {
    if (error instanceof OutboundError) return { error: `cannot be reached: ${lowerFirst(error.message)}` };
    throw error;
  }
}
const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** Legal forms such as "Ltd" are ignored, because they do not identify a company. */
const LEGAL = new Set(
  (
    'ab ag aps as bv co company corp corporation doo eood fze gmbh group holding inc incorporated kft kg limited llc ' +
    'llp ltd nv ojsc oo oy plc pte pty sa sarl sas sl spa srl sro ug zrt ооо llc'
  ).split(' '),
);
export const distinctive = (name: string): string[] => splitWords(name).filter((word) => !LEGAL.has(word));

/**
 * Returns the share of letter pairs that two names have in common: 1 means the same name, and 0.8 means that one or two
 * letters differ.
 */
export function similarity(one: string, other: string): number {
  const [a, b] = [one, other].map((name) => distinctive(name).join(''));
  if (!a || !b) return 0;
  if (a === b) return 1;
  const left = letterPairs(a);
  const right = letterPairs(b);
  let shared = 0;
  const counts = new Map<string, number>();
  for (const pair of left) counts.set(pair, (counts.get(pair) ?? 0) + 1);
  for (const pair of right) {
    const count = counts.get(pair) ?? 0;
    if (count > 0) {
      shared++;
      counts.set(pair, count - 1);
    }
  }
  return left.length + right.length === 0 ? 0 : (2 * shared) / (left.length + right.length);
}
/** Letters from other alphabets that look like Latin letters. */
const LATIN: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ['аα', 'a'],
    ['вβ', 'b'],
    ['сϲ', 'c'],
    ['ԁ', 'd'],
    ['еёε', 'e'],
    ['һнη', 'h'],
    ['іїι', 'i'],
    ['јϳ', 'j'],
    ['кκ', 'k'],
    ['ӏ', 'l'],
    ['мμ', 'm'],
    ['оοσ', 'o'],
    ['рρ', 'p'],
    ['ѕ', 's'],
    ['тτ', 't'],
    ['υ', 'u'],
    ['ν', 'v'],
    ['ԝ', 'w'],
    ['хχ', 'x'],
    ['уγ', 'y'],
  ].flatMap(([letters, ours]) => Array.from(letters!, (letter) => [letter, ours!])),
);

/** Returns the name as it appears to someone who reads Latin letters. */
export const latinized = (name: string): string =>
  Array.from(name.normalize('NFKC').toLowerCase(), (letter) => LATIN[letter] ?? letter).join('');

/** Reports words that mix two alphabets, which are usually meant to imitate another name. */
export function alphabetFinding(name: string): Finding[] {
  const mixed = name
    .split(/[^\p{L}\p{M}]+/u)
    .find((word) => /\p{sc=Latin}/u.test(word) && /[\p{sc=Cyrillic}\p{sc=Greek}]/u.test(word));
  return mixed ? [warning(`The word ${mixed} in the name mixes letters from two alphabets`)] : [];
}

const letterPairs = (text: string): string[] =>
  Array.from({ length: text.length - 1 }, (_, index) => text.slice(index, index + 2));

const MIN_SIMILARITY = 0.8;

export function nameFindings(name: string, others: readonly { company_name: string; blocked: boolean }[]): Finding[] {
  const likeness = (other: string) => Math.max(similarity(name, other), similarity(latinized(name), latinized(other)));
  const alike = others.filter((other) => likeness(other.company_name) >= MIN_SIMILARITY).slice(0, 3);
  if (alike.length === 0) return [good('No other account has a similar name')];
  return alike.map(({ company_name, blocked }) =>
    warning(`Another account has the name ${company_name}${blocked ? ' and is blocked' : ''}`),
  );
}

export function earlierFinding(others: readonly { kind: string; status: string }[], kind: string): Finding[] {
  const rejected = others.filter((other) => other.kind === kind && other.status === 'rejected').length;
  if (rejected === 0) return [];
  return [
    warning(
      rejected === 1
        ? 'An earlier request of this kind was rejected'
        : `${rejected} earlier requests of this kind were rejected`,
    ),
  ];
}
