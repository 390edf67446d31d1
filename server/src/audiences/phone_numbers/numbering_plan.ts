/**
 * The numbering plans from libphonenumber, compiled once. For a `+` followed by digits, they are ten times as fast as
 * the library's parser, which builds its patterns on every call. Where the parser would strip or rewrite digits, the
 * result is undefined. A test compares the two.
 */
import { type CountryCode, Metadata, type NumberType } from 'libphonenumber-js/max';
import metadata from 'libphonenumber-js/max/metadata';

export interface NumberClass {
  country: CountryCode;
  type: Exclude<NumberType, undefined>;
}

interface Kind {
  type: NumberClass['type'];
  pattern: RegExp;
  lengths: readonly number[] | undefined;
}
interface Plan {
  country: CountryCode;
  /** The leading digits of this country's numbers, if several countries share the calling code. */
  leading: RegExp | null;
  general: RegExp;
  fixed_may_be_mobile: boolean;
  kinds: readonly Kind[];
}

/** Members of the class that the library's types do not declare. */
interface Source {
  nationalNumberPattern(): string;
  nationalPrefixForParsing(): string | undefined;
  leadingDigits(): string | undefined;
  type(name: string): { pattern(): string; possibleLengths(): number[] | undefined } | undefined;
}

/** Number types in the order in which the library checks them. */
const KINDS = `FIXED_LINE MOBILE PREMIUM_RATE TOLL_FREE SHARED_COST VOIP PERSONAL_NUMBER PAGER UAN VOICEMAIL`.split(
  ' ',
) as NumberClass['type'][];

const matchWhole = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`);

function compilePlan(country: CountryCode): { plan: Plan; prefix: RegExp | null } {
  const metadataReader = new Metadata();
  metadataReader.selectNumberingPlan(country);
  const source = metadataReader.numberingPlan as unknown as Source;
  const kinds: Kind[] = [];
  for (const type of KINDS) {
    const kind = source.type(type);
    if (kind?.pattern()) kinds.push({ type, pattern: matchWhole(kind.pattern()), lengths: kind.possibleLengths() });
  }
  const leading = source.leadingDigits();
  const prefix = source.nationalPrefixForParsing();
  return {
    plan: {
      country,
      leading: leading ? new RegExp(`^(?:${leading})`) : null,
      general: matchWhole(source.nationalNumberPattern()),
      fixed_may_be_mobile: !source.type('MOBILE')?.pattern(),
      kinds,
    },
    prefix: prefix ? new RegExp(`^(?:${prefix})`) : null,
  };
}

/** Calling codes have at most three digits, so the cache is bounded, even for codes that do not exist. */
const plansByCode = new Map<string, { plans: Plan[]; prefix: RegExp | null } | null>();

function loadPlans(code: string) {
  let entry = plansByCode.get(code);
  if (entry === undefined) {
    const countries = metadata.country_calling_codes[code];
    const all = countries?.map(compilePlan);
    // The national prefix of the first country applies to the whole calling code.
    entry = all?.[0] ? { plans: all.map(({ plan }) => plan), prefix: all[0].prefix } : null;
    plansByCode.set(code, entry);
  }
  return entry;
}

const matchesKind = ({ pattern, lengths }: Kind, national: string): boolean =>
  (!lengths || lengths.includes(national.length)) && pattern.test(national);

function findType(plan: Plan, national: string): NumberClass['type'] | null {
  if (!plan.general.test(national)) return null;
  const kind = plan.kinds.find((kind) => matchesKind(kind, national));
  if (kind?.type !== 'FIXED_LINE') return kind?.type ?? null;
  const mobile = plan.kinds.find(({ type }) => type === 'MOBILE');
  return plan.fixed_may_be_mobile || (mobile && matchesKind(mobile, national)) ? 'FIXED_LINE_OR_MOBILE' : 'FIXED_LINE';
}

/**
 * If only one country uses the calling code, every number belongs to it. If several share the code, a country with
 * leading digits gets the numbers that start with them, and the other countries get the numbers that match their
 * patterns.
 */
const findPlan = (plans: readonly Plan[], national: string): Plan | undefined =>
  plans.length === 1
    ? plans[0]
    : plans.find((plan) => (plan.leading ? plan.leading.test(national) : findType(plan, national) !== null));

/**
 * Classifies digits with the country code, without a plus sign. Null means that the text is not a phone number.
 * Undefined means that the caller must use the library.
 */
export function classifyDigits(digits: string): NumberClass | null | undefined {
  for (let length = 1; length <= 3; length++) {
    const entry = loadPlans(digits.slice(0, length));
    if (!entry) continue;
    const national = digits.slice(length);
    if (entry.prefix?.test(national)) return undefined;
    const plan = national.length < 2 || national.length > 17 ? undefined : findPlan(entry.plans, national);
    const type = plan && findType(plan, national);
    return plan && type ? { country: plan.country, type } : null;
  }
  return null;
}
