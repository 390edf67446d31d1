/** Evaluates conditions in memory, one person at a time, to compare the SQL with. */
import { type Condition, type ConditionGroup, isGroup, subjectField } from '@parley/contract/audiences/conditions.ts';

export interface Someone {
  number: string;
  country: string;
  network: string;
  first_name: string;
  last_name: string;
  custom1: string;
  custom2: string;
  language: string;
  timezone: string;
  tags: readonly string[];
  fields: Readonly<Record<string, string | number | boolean>>;
  created: Date;
  audiences: readonly string[];
  /** In the order of time. */
  consents: readonly { channel: string | null; purpose: string | null; change: string }[];
  messages: readonly { direction: string; status: string; channel: string; at: Date }[];
  clicks: readonly Date[];
}

const DAY_MS = 86_400_000;
const toDay = (at: Date): string => at.toISOString().slice(0, 10);
const shift = (now: Date, days: number): string => toDay(new Date(now.getTime() + days * DAY_MS));
const has = (list: readonly string[], text: string): boolean =>
  list.some((one) => one.trim().toLowerCase() === text.toLowerCase());

const MESSAGES: Readonly<Record<string, (message: Someone['messages'][number]) => boolean>> = {
  message_sent: ({ direction }) => direction === 'MT',
  message_delivered: ({ direction, status }) => direction === 'MT' && ['delivered', 'read'].includes(status),
  message_read: ({ direction, status }) => direction === 'MT' && status === 'read',
  message_failed: ({ direction, status }) => direction === 'MT' && ['failed', 'rejected', 'expired'].includes(status),
  replied: ({ direction }) => direction === 'MO',
};

/** Days begin at midnight in UTC. */
export function matches(someone: Someone, node: Condition | ConditionGroup, now: Date): boolean {
  if (isGroup(node)) {
    const parts = node.conditions.map((part) => matches(someone, part, now));
    return node.match === 'all' ? parts.every(Boolean) : parts.some(Boolean);
  }
  const { subject, operator, value } = node;
  const key = subjectField(subject);
  if (key !== null) return compare(someone.fields[key] ?? '', operator, value, now);
  switch (subject) {
    case 'country':
    case 'network':
      return (value as string[]).includes(someone[subject]) === (operator === 'is_one_of');
    case 'language': {
      if (operator === 'is_set' || operator === 'is_empty')
        return (someone.language !== '') === (operator === 'is_set');
      const known = [someone.language, someone.language.split('-')[0]!];
      return known.some((language) => has(value as string[], language)) === (operator === 'is_one_of');
    }
    case 'tags': {
      const shared = (value as string[]).filter((tag) => has(someone.tags, tag));
      if (operator === 'has_all') return shared.length === (value as string[]).length;
      return shared.length > 0 === (operator === 'has_any');
    }
    case 'audiences':
      return (value as string[]).some((id) => someone.audiences.includes(id)) === (operator === 'in_any');
    case 'create_date':
      return compare(toDay(someone.created), operator, value, now);
    case 'consent': {
      const last = someone.consents.findLast(
        ({ channel, purpose }) =>
          (channel === null || channel === node.channel) && (purpose === null || purpose === value),
      );
      return (last?.change === 'given') === (operator === 'given');
    }
    case 'link_clicked':
      return happened(someone.clicks, operator, value, now);
    default: {
      const counts = MESSAGES[subject];
      if (!counts) return compare(someone[subject as 'first_name'], operator, value, now);
      const found = someone.messages.filter((one) => counts(one) && (!node.channel || one.channel === node.channel));
      return happened(
        found.map(({ at }) => at),
        operator,
        value,
        now,
      );
    }
  }
}

function happened(times: readonly Date[], operator: string, value: unknown, now: Date): boolean {
  const since = operator.endsWith('in_last_days') ? now.getTime() - Number(value) * DAY_MS : 0;
  const isFound = times.some((at) => at.getTime() >= since);
  return isFound === (operator === 'ever' || operator === 'in_last_days');
}

/** Compares one value, which is an empty text if there is none. */
function compare(own: string | number | boolean, operator: string, value: unknown, now: Date): boolean {
  const text = String(own).toLowerCase();
  const isSet = own !== '';
  switch (operator) {
    case 'is_set':
      return isSet;
    case 'is_empty':
      return !isSet;
    case 'is':
      return text === String(value).toLowerCase();
    case 'is_not':
      return text !== String(value).toLowerCase();
    case 'contains':
      return text.includes(String(value).toLowerCase());
    case 'starts_with':
      return text.startsWith(String(value).toLowerCase());
    case 'is_one_of':
      return has(value as string[], text);
    case 'is_none_of':
      return !has(value as string[], text);
    case 'is_yes':
      return own === true;
    case 'is_no':
      return own === false;
    case 'equals':
      return isSet && own === value;
    case 'at_least':
      return isSet && Number(own) >= Number(value);
    case 'at_most':
      return isSet && Number(own) <= Number(value);
    case 'on':
      return own === value;
    case 'before':
      return isSet && String(own) < String(value);
    case 'after':
      return isSet && String(own) > String(value);
    case 'in_last_days':
      return isSet && String(own) >= shift(now, -Number(value)) && String(own) <= toDay(now);
    case 'in_next_days':
      return isSet && String(own) >= toDay(now) && String(own) <= shift(now, Number(value));
    default:
      throw new Error(`unknown operator: ${operator}`);
  }
}
