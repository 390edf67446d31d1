/** Decides whether a rule applies to a conversation. All functions are pure. */
import type { ChannelName } from '@parley/contract/channels/names.ts';
import type { RuleLanguage } from '@parley/contract/inbox/rule_languages.ts';
import type { RuleConditions } from '@parley/contract/inbox/rules.ts';
import type { OfficeHours } from '@parley/contract/inbox/settings.ts';
import type { InboxAgent } from '@parley/contract/inbox/teams.ts';

/** The facts that rules match about a conversation that a contact opens. */
export interface Opening {
  channel: ChannelName;
  sender_id: string;
  /** The text of the message that opened it. */
  text: string;
  /** The language of the text; null if it is unknown. */
  language: RuleLanguage | null;
  /** The campaign that the contact replies to. */
  campaign_id: string | null;
  /** When the message arrived. */
  at: Date;
}

interface Office {
  /** Null: always open. */
  hours: readonly OfficeHours[] | null;
  zone: string;
}

export function matches(conditions: RuleConditions, opening: Opening, office: Office): boolean {
  const { channels, sender_ids, texts, languages, campaign_ids, office_hours } = conditions;
  const text = fold(opening.text);
  return (
    (channels.length === 0 || channels.some((channel) => channel === opening.channel)) &&
    (sender_ids.length === 0 || sender_ids.includes(opening.sender_id)) &&
    (texts.length === 0 || texts.some((one) => text.includes(fold(one)))) &&
    (languages.length === 0 || languages.some((language) => language === opening.language)) &&
    (campaign_ids.length === 0 || (opening.campaign_id !== null && campaign_ids.includes(opening.campaign_id))) &&
    (office_hours === null || (office_hours === 'inside') === isOpen(office, opening.at))
  );
}

/** Ignores case and accents, in any language. */
const fold = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

export function isOpen({ hours, zone }: Office, at: Date): boolean {
  if (hours === null) return true;
  const parts = Object.fromEntries(
    formatter(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  const day = DAYS.indexOf(parts.weekday!) + 1;
  const time = `${parts.hour}:${parts.minute}`;
  return hours.some(({ days, from, until }) => days.includes(day) && time >= from && time < until);
}

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatter(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone: zone, weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  });
  formatters.set(zone, made);
  return made;
}

type Workload = Pick<InboxAgent, 'open' | 'capacity' | 'open_by_channel' | 'channel_capacities'>;

export interface Candidate extends Workload {
  user_id: string;
  /** When a rule last chose the user, in microseconds; null: never. */
  chosen: number | null;
}

/** True if the user takes one more conversation of the channel. */
export function hasCapacity(user: Workload, channel: ChannelName): boolean {
  const { open, capacity, open_by_channel, channel_capacities } = user;
  const limit = channel_capacities[channel];
  return (capacity === null || open < capacity) && (limit === undefined || (open_by_channel[channel] ?? 0) < limit);
}

/** The user who gets the next conversation; null if no user has capacity. */
export function choose(
  candidates: readonly Candidate[],
  method: 'round_robin' | 'least_busy',
  channel: ChannelName,
): string | null {
  const byTurn = (a: Candidate, b: Candidate) => (a.chosen ?? 0) - (b.chosen ?? 0) || (a.user_id < b.user_id ? -1 : 1);
  const free = candidates.filter((user) => hasCapacity(user, channel));
  return (
    free.toSorted((a, b) => (method === 'least_busy' ? a.open - b.open || byTurn(a, b) : byTurn(a, b)))[0]?.user_id ??
    null
  );
}
