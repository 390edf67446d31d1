/**
 * The library's numbering plans, compiled once: the answer for a number that is already `+` and digits, ten times as fast as its parser, which
 * builds its patterns anew for every call. Says nothing (undefined) where the parser would strip or rewrite; a test holds the two together.
 */
import { type CountryCode, Metadata, type NumberType } from 'libphonenumber-js/max';
import metadata from 'libphonenumber-js/max/metadata';

export interface Numbered {
  country: CountryCode;
  type: Exclude<NumberType, undefined>;
}

interface Kind {
  type: Numbered['type'];
  pattern: RegExp;
  lengths: readonly number[] | undefined;
}
interface Plan {
  country: CountryCode;
  /** Of countries that share a calling code: the beginnings that are theirs. */
  leading: RegExp | null;
  general: RegExp;
  fixed_may_be_mobile: boolean;
  kinds: readonly Kind[];
}

/** What the library's class has beside its declared surface. */
interface Source {
  nationalNumberPattern(): string;
  nationalPrefixForParsing(): string | undefined;
  leadingDigits(): string | undefined;
  type(name: string): { pattern(): string; possibleLengths(): number[] | undefined } | undefined;
}

// In the order in which the library asks.
const KINDS = `FIXED_LINE MOBILE PREMIUM_RATE TOLL_FREE SHARED_COST VOIP PERSONAL_NUMBER PAGER UAN VOICEMAIL`.split(
  ' ',
) as Numbered['type'][];

const whole = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`);

function planOf(country: CountryCode): { plan: Plan; prefix: RegExp | null } {
  const chosen = new Metadata();
  chosen.selectNumberingPlan(country);
  const source = chosen.numberingPlan as unknown as Source;
  const kinds: Kind[] = [];
  for (const type of KINDS) {
    const found = source.type(type);
    if (found?.pattern()) kinds.push({ type, pattern: whole(found.pattern()), lengths: found.possibleLengths() });
  }
  const leading = source.leadingDigits();
  const prefix = source.nationalPrefixForParsing();
  return {
    plan: {
      country,
      leading: leading ? new RegExp(`^(?:${leading})`) : null,
      general: whole(source.nationalNumberPattern()),
      fixed_may_be_mobile: !source.type('MOBILE')?.pattern(),
      kinds,
    },
    prefix: prefix ? new RegExp(`^(?:${prefix})`) : null,
  };
}

// Calling codes are at most three digits, so there is an end to what is kept, also of those that do not exist.
const shelves = new Map<string, { plans: Plan[]; prefix: RegExp | null } | null>();

function shelfOf(code: string) {
  let shelf = shelves.get(code);
  if (shelf === undefined) {
    const countries = metadata.country_calling_codes[code];
    const all = countries?.map(planOf);
    // The first country of a calling code is the one whose prefixes count.
    shelf = all?.[0] ? { plans: all.map(({ plan }) => plan), prefix: all[0].prefix } : null;
    shelves.set(code, shelf);
  }
  return shelf;
}

const fits = ({ pattern, lengths }: Kind, national: string): boolean =>
  (!lengths || lengths.includes(national.length)) && pattern.test(national);

function typeIn(plan: Plan, national: string): Numbered['type'] | null {
  if (!plan.general.test(national)) return null;
  const found = plan.kinds.find((kind) => fits(kind, national));
  if (found?.type !== 'FIXED_LINE') return found?.type ?? null;
  const mobile = plan.kinds.find(({ type }) => type === 'MOBILE');
  return plan.fixed_may_be_mobile || (mobile && fits(mobile, national)) ? 'FIXED_LINE_OR_MOBILE' : 'FIXED_LINE';
}

// A country alone with its calling code has all of it; of several, those with beginnings of their own have these, the others what fits them.
const planFor = (plans: readonly Plan[], national: string): Plan | undefined =>
  plans.length === 1
    ? plans[0]
    : plans.find((plan) => (plan.leading ? plan.leading.test(national) : typeIn(plan, national) !== null));

/** `digits` with country code, without plus. Null: nobody's number. Undefined: ask the library. */
export function inPlan(digits: string): Numbered | null | undefined {
  for (let length = 1; length <= 3; length++) {
    const shelf = shelfOf(digits.slice(0, length));
    if (!shelf) continue;
    const national = digits.slice(length);
    if (shelf.prefix?.test(national)) return undefined;
    const plan = national.length < 2 || national.length > 17 ? undefined : planFor(shelf.plans, national);
    const type = plan && typeIn(plan, national);
    return plan && type ? { country: plan.country, type } : null;
  }
  return null;
}
