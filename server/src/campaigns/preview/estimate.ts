/**
 * Calculates the messages and the cost of a campaign for every contact in the audience, using the gate's rules for the
 * stop list, route, price, and segments. The figures are exact. Memory use is constant, and 100,000 contacts take about
 * a second.
 */
import { channelRules } from '@parley/contract/channels/index.ts';
import { render, tagsIn, type Variable } from '@parley/contract/channels/sms/text.ts';
import { withSampleLinks } from '@parley/contract/links/inline.ts';
import { priceBook } from '../../billing/billing.ts';
import { type Queryable, sql } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { textLinkPrefix } from '../../links/links.ts';
import { getRouteBook, judge, type Passed, resolveCarrier } from '../../messages/messages.ts';
import type { Ready } from '../draft/ready.ts';
import { sampleOptOut, variableValues } from '../draft/values.ts';
import { type Contact, contactsAfter } from '../model/queries.ts';
import { SKIP_REASONS } from '../model/reasons.ts';

const PORTION = 10_000;

interface CountryCost {
  country: string;
  recipients: number;
  segments: number;
  /** Price per segment. Networks in the same country may have different prices. */
  price_micros: number;
  price_max_micros: number;
  cost_micros: number;
}

type Skip = 'stop_list' | 'no_text' | 'no_route' | 'no_price' | 'too_long';

export interface Estimate {
  counts: Record<'total' | 'will_receive' | Skip, number>;
  segments: { min: number; max: number; total: number; unicode_recipients: number };
  cost: CountryCost[];
  total_micros: number;
  /** The number of contacts for whom a variable in the text is empty and has no fallback. */
  empty: Partial<Record<Variable, number>>;
  /** The last contact that was read, which is the end of the frozen audience. */
  last_contact_id: string | null;
}

type Outline = Pick<Ready, 'account_id' | 'channel' | 'currency' | 'text' | 'audience'> & {
  sender: Ready['sender'] | null;
};

export async function estimateCampaign(
  db: Queryable,
  kernel: Kernel,
  outline: Outline,
  range: { after: string | null; until: string | null } = { after: null, until: null },
): Promise<Estimate> {
  const { account_id, channel, currency, sender } = outline;
  const prices = await priceBook(kernel, db);
  const { session, counts } = channelRules(channel);
  // The purpose used for messages to contacts without an open session.
  const purpose = session?.outside === 'promotional' ? session.outside : null;
  const rules = {
    sender: sender ?? ANYWHERE,
    stopped: await loadStopList(outline, db),
    ...(await resolveRoute(outline, db, kernel)),
    price: (number: string, country: string) => prices.price(account_id, channel, number, country, currency, purpose),
    counts,
  };
  const writeText = createWriter(outline, await textLinkPrefix(db, kernel.config, account_id));
  const result = emptyEstimate();
  const countries = new Map<string, CountryCost>();
  for (let after = range.after, more = true; more; ) {
    const contacts = await contactsAfter(
      db,
      { account_id, audience_id: outline.audience.id, after, until: range.until },
      PORTION,
    );
    const drafts = contacts.map((contact, index) => ({
      ...writeText(contact),
      index,
      number: contact.number,
      country: contact.country,
    }));
    const { passed, refused } = judge(drafts, rules);
    result.counts.total += contacts.length;
    result.counts.will_receive += passed.length;
    for (const { code } of refused) result.counts[SKIP_REASONS[code] as Skip]++;
    for (const contact of passed) {
      for (const name of drafts[contact.index]!.empty) result.empty[name] = (result.empty[name] ?? 0) + 1;
      addRecipient(result, countries, contact);
    }
    after = contacts.at(-1)?.id ?? after;
    result.last_contact_id = after;
    more = contacts.length === PORTION;
  }
  result.cost = [...countries.values()].sort(
    (a, b) => b.cost_micros - a.cost_micros || a.country.localeCompare(b.country),
  );
  return result;
}

async function resolveRoute({ channel, sender }: Outline, db: Queryable, kernel: Kernel) {
  if (sender) {
    const { route, profile } = await resolveCarrier(db, kernel, sender);
    return { route, profile };
  }
  const { route, profile } = await getRouteBook(kernel, db);
  return {
    route: (number: string, country: string) => route(channel, number, country)?.connection_id ?? null,
    profile,
  };
}

const ANYWHERE = { countries: [] };

export const emptyEstimate = (): Estimate => ({
  counts: { total: 0, will_receive: 0, stop_list: 0, no_text: 0, no_route: 0, no_price: 0, too_long: 0 },
  segments: { min: 0, max: 0, total: 0, unicode_recipients: 0 },
  cost: [],
  total_micros: 0,
  empty: {},
  last_contact_id: null,
});

function addRecipient(result: Estimate, countries: Map<string, CountryCost>, recipient: Passed): void {
  const { segments } = result;
  const { country, segments_count: count, price_micros } = recipient;
  segments.total += count;
  segments.min = segments.min === 0 ? count : Math.min(segments.min, count);
  segments.max = Math.max(segments.max, count);
  if (recipient.encoding === 'UCS-2') segments.unicode_recipients++;
  result.total_micros += price_micros;
  const unit_price = price_micros / count;
  let cost = countries.get(country);
  if (!cost) {
    cost = {
      country,
      recipients: 0,
      segments: 0,
      price_micros: unit_price,
      price_max_micros: unit_price,
      cost_micros: 0,
    };
    countries.set(country, cost);
  }
  cost.recipients++;
  cost.segments += count;
  cost.price_micros = Math.min(cost.price_micros, unit_price);
  cost.price_max_micros = Math.max(cost.price_max_micros, unit_price);
  cost.cost_micros += price_micros;
}

interface RenderedText {
  text: string;
  /** Variables that are empty for this contact. */
  empty: readonly Variable[];
}

function createWriter({ text: source, sender }: Outline, link_prefix: string): (contact: Contact) => RenderedText {
  const text = withSampleLinks(source, link_prefix);
  const opt_out = sampleOptOut(sender, link_prefix);
  const tags = tagsIn(text).filter((tag) => tag.known);
  if (tags.length === 0) return () => ({ text, empty: [] });
  const unprotected = [...new Set(tags.filter((tag) => tag.fallback === '').map((tag) => tag.name as Variable))];
  return (contact) => {
    const values = variableValues(contact, opt_out);
    return { text: render(text, values), empty: unprotected.filter((name) => !values[name]?.trim()) };
  };
}

async function loadStopList({ account_id, audience, sender }: Outline, db: Queryable): Promise<Set<string>> {
  const rows = await db.rows<{ number: string }>(sql`
    select s.number from stop_list s
    join contacts c on c.account_id = s.account_id and c.audience_id = ${audience.id} and c.number = s.number
    where s.account_id = ${account_id} and (s.sender_id is null or s.sender_id = ${sender?.id ?? null}::uuid)`);
  return new Set(rows.map((row) => row.number));
}
