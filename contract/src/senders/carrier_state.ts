/** Labels and texts for the carrier state of a sender, on its page, in its timeline, and in emails. */

export type CarrierState = Readonly<Record<string, string | number | boolean>>;

const LABELS: Readonly<Record<string, string>> = {
  name: 'Name at the carrier',
  quality: 'Quality',
  limit: 'Recipients per day',
  throughput: 'Throughput',
  name_status: 'Display name',
  status: 'Carrier status',
  account_event: 'Business account',
  restrictions: 'Restrictions',
  ban: 'Ban',
  violation: 'Policy violation',
};

/** Turns a constant such as PENDING_REVIEW into sentence case. Other texts stay unchanged. */
const sentence = (text: string): string => {
  if (!/^[A-Z0-9_]+$|^[a-z0-9_]+$/.test(text)) return text;
  const words = text.replaceAll('_', ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};
export const carrierLabel = (key: string): string => LABELS[key] ?? sentence(key);

const QUALITY: Readonly<Record<string, string>> = {
  GREEN: 'High',
  YELLOW: 'Medium',
  RED: 'Low',
  UNKNOWN: 'Not rated yet',
};
export const qualityLabel = (quality: string): string => QUALITY[quality.toUpperCase()] ?? sentence(quality);

/** Parses a WhatsApp limit: TIER_250, TIER_1K, TIER_UNLIMITED, or a number. Returns null for any other value. */
export function recipientsPerDay(limit: CarrierState[string] | undefined): number | null {
  const match = /^(?:TIER_(?:NOT_)?)?(?:(\d+)(K?)|(UNLIMITED))$/i.exec(String(limit ?? ''));
  if (!match) return null;
  return match[3] ? Number.POSITIVE_INFINITY : Number(match[1]) * (match[2] ? 1_000 : 1);
}

export function carrierValue(key: string, value: CarrierState[string]): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (key === 'limit') {
    const people = recipientsPerDay(value);
    if (people !== null) return people === Number.POSITIVE_INFINITY ? 'Unlimited' : people.toLocaleString('en-US');
  }
  if (typeof value === 'number') return value.toLocaleString('en-US');
  return key === 'quality' ? qualityLabel(value) : sentence(value.replace(/^TIER_/i, ''));
}

/** Keys that are shown elsewhere or used only in comparisons. */
const HIDDEN_KEYS: readonly string[] = ['number', 'quality_event'];
export const carrierFields = (state: CarrierState | null): { label: string; value: string }[] =>
  Object.entries(state ?? {})
    .filter(([key, value]) => value !== '' && !HIDDEN_KEYS.includes(key))
    .map(([key, value]) => ({ label: carrierLabel(key), value: carrierValue(key, value) }));

/** A change in the carrier state. `bad` means that the company must act. */
export interface StateChange {
  kind: 'quality_changed' | 'limit_changed' | 'restricted';
  text: string;
  bad: boolean;
}

/** Returns the changes in the carrier state. A first value is not reported as a change, unless it is bad. */
export function stateChanges(before: CarrierState | null, current: CarrierState): StateChange[] {
  const changes: StateChange[] = [];
  const previous = before ?? {};
  const changed = (key: string): boolean => current[key] !== undefined && current[key] !== previous[key];
  const from = (key: string): string =>
    previous[key] === undefined ? '' : ` (was ${carrierValue(key, previous[key]).toLowerCase()})`;
  const low = current.quality === 'RED';
  if (
    changed('quality') &&
    current.quality !== 'UNKNOWN' &&
    (low || (previous.quality !== undefined && previous.quality !== 'UNKNOWN'))
  )
    changes.push({
      kind: 'quality_changed',
      text: `Quality: ${carrierValue('quality', current.quality!).toLowerCase()}${from('quality')}.`,
      bad: low,
    });
  const [previous_limit, current_limit] = [recipientsPerDay(previous.limit), recipientsPerDay(current.limit)];
  if (previous_limit !== null && current_limit !== null && previous_limit !== current_limit)
    changes.push({
      kind: 'limit_changed',
      text: `Recipients per day: ${carrierValue('limit', current.limit!).toLowerCase()}${from('limit')}.`,
      bad: current_limit < previous_limit,
    });
  // A reinstatement ends a restriction, so it is not reported as one.
  const limits = (['restrictions', 'ban', 'violation'] as const).filter(
    (key) => changed(key) && current[key] !== 'REINSTATE',
  );
  if (limits.length > 0)
    changes.push({
      kind: 'restricted',
      text: limits.map((key) => `${carrierLabel(key)}: ${carrierValue(key, current[key]!).toLowerCase()}.`).join(' '),
      bad: true,
    });
  return changes;
}
