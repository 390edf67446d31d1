/**
 * Decides when each recipient of a campaign may get the message: in their time zone, within the delivery windows, and
 * outside the quiet hours of the account and of their country. Recipients with the same zones and rules share one
 * decision, so a planner costs little per recipient.
 */
import { openHours, type QuietHours, toMinutes } from '@parley/contract/accounts/quiet_hours.ts';
import { LEGAL_HOURS, readWeek } from '@parley/contract/campaigns/legal_hours.ts';
import { type CampaignTiming, type DeliveryWindow, NO_TIMING } from '@parley/contract/campaigns/timing.ts';
import { parseTimestamp } from '@parley/contract/common.ts';
import { type Queryable, sql } from '../../kernel/db/db.ts';
import { ALWAYS, clockTime, intersectWeeks, sharedOpenings, type Week, whenClockShows } from '../model/local_time.ts';
import type { CampaignRow } from '../model/row.ts';
import { numberState, recipientZone } from './zones.ts';

/** Messages may be sent this long after the local time before `missed_schedule` applies to the recipient. */
export const LATE_MS = 3_600_000;
/** No zone is further ahead. */
const FIRST_ZONE = 'Pacific/Kiritimati';
/** The number of future windows that are stored with a message, in case its carrier is slow. */
const STORED_WINDOWS = 6;

export interface Addressee {
  readonly number: string;
  readonly country: string;
  /** The contact's time zone; empty or absent if unknown. */
  readonly timezone?: string | undefined;
}

export interface Slot {
  /** When the message may be sent, in milliseconds. */
  readonly at: number;
  /** The end of the window; null if there is none. */
  readonly until: number | null;
  /** The windows as a multirange; null if the message may be sent at any time. */
  readonly windows: string | null;
}

export type Plan = Slot | 'no_window' | 'missed';

export interface PlannerSettings {
  readonly timing: Partial<CampaignTiming>;
  readonly account_zone: string;
  readonly account_quiet: QuietHours | null;
  /** The scheduled time on the account's clock is the target on each recipient's clock; null: as soon as possible. */
  readonly local_schedule: Date | null;
  /** When the campaign started or will start. */
  readonly start: Date;
}

export interface Planner {
  /** True if the decision depends on the contact's time zone. */
  needsZone(country: string): boolean;
  zone(addressee: Addressee): ReturnType<typeof recipientZone>;
  plan(addressee: Addressee, now: Date): Plan;
}

export function createPlanner(settings: PlannerSettings): Planner {
  const { account_zone, local_schedule } = settings;
  const timing = { ...NO_TIMING, ...settings.timing };
  const own = ownWeek(timing, settings.account_quiet);
  const isLegal =
    timing.quiet_hours === 'legal' || (timing.quiet_hours === 'account' && settings.account_quiet !== null);
  const target = local_schedule && clockTime(local_schedule.getTime(), account_zone);
  const weeks = new Map<string, Week | null>();
  const findWeek = (country: string, state: string | null): Week | null => {
    const key = `${country} ${state}`;
    let week = weeks.get(key);
    if (week === undefined) {
      const legal = isLegal ? legalWeek(country, state) : null;
      week = own && legal ? intersectWeeks(own, legal) : (own ?? legal);
      weeks.set(key, week);
    }
    return week;
  };
  const decide = (zones: readonly string[], week: Week | null, now: number): Plan => {
    const local = target === null ? null : whenClockShows(target, zones[0]!);
    if (local !== null && timing.missed_schedule === 'skip' && local + LATE_MS < settings.start.getTime())
      return 'missed';
    const at = Math.max(now, settings.start.getTime(), local ?? 0);
    if (!week) return { at, until: null, windows: null };
    const times = sharedOpenings(at, zones, week);
    const [first] = times;
    return first ? { at: first[0], until: first[1], windows: toMultirange(times) } : 'no_window';
  };
  let plans = new Map<string, Plan>();
  let planned_at = Number.NaN;
  const zone = (addressee: Addressee) => recipientZone(addressee, account_zone);
  return {
    needsZone: (country) => target !== null || own !== null || findWeek(country, null) !== null,
    zone,
    plan(addressee, now) {
      if (now.getTime() !== planned_at) {
        plans = new Map();
        planned_at = now.getTime();
      }
      const { number, country } = addressee;
      const state = numberState(number, country);
      const { zones } = zone(addressee);
      const key = `${country} ${state} ${zones.join(' ')}`;
      let plan = plans.get(key);
      if (plan === undefined) {
        plan = decide(zones, findWeek(country, state), planned_at);
        plans.set(key, plan);
      }
      return plan;
    },
  };
}

/** The hours that the campaign and the account allow; null for all hours. */
function ownWeek({ windows, quiet_hours }: CampaignTiming, account_quiet: QuietHours | null): Week | null {
  const own = windows.length > 0 ? windowWeek(windows) : null;
  if (quiet_hours !== 'account' || !account_quiet) return own;
  const open = openHours(account_quiet);
  return intersectWeeks(
    own ?? ALWAYS,
    ALWAYS.map(() => open),
  );
}

/** Several windows on one day are united. */
function windowWeek(windows: readonly DeliveryWindow[]): Week {
  return ALWAYS.map((_, index) => {
    const hours = windows
      .filter(({ days }) => days.includes(index + 1))
      .map(({ from, until }): [number, number] => [toMinutes(from), toMinutes(until)])
      .sort(([a], [b]) => a - b);
    const united: [number, number][] = [];
    for (const [from, until] of hours) {
      const last = united.at(-1);
      if (last && last[1] >= from) last[1] = Math.max(last[1], until);
      else united.push([from, until]);
    }
    return united;
  });
}

/** The hours of a state replace those of its country, which are never stricter. */
function legalWeek(country: string, state: string | null): Week | null {
  const rule =
    (state && LEGAL_HOURS.find((hours) => hours.country === country && hours.state === state)) ||
    LEGAL_HOURS.find((hours) => hours.country === country && hours.state === null);
  return rule ? readWeek(rule) : null;
}

const toMultirange = (times: readonly (readonly [number, number])[]): string =>
  `{${times
    .slice(0, STORED_WINDOWS)
    .map(([from, until]) => `[${new Date(from).toISOString()},${new Date(until).toISOString()})`)
    .join(',')}}`;

/** Returns the numbers for which the time zone of the contact matters. */
export const listZoned = (planner: Planner, contacts: readonly Addressee[]): string[] =>
  contacts.filter(({ country }) => planner.needsZone(country)).map(({ number }) => number);

/** Returns the time zones of contacts that have one, by number. One index lookup per number. */
export async function readContactZones(
  db: Queryable,
  account_id: string,
  numbers: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (numbers.length === 0) return new Map();
  const rows = await db.rows<{ number: string; timezone: string }>(sql`
    select n.number, p.timezone from unnest(${numbers}::text[]) as n(number)
    cross join lateral (
      select timezone from people where account_id = ${account_id} and number = n.number offset 0
    ) p
    where p.timezone <> ''`);
  return new Map(rows.map(({ number, timezone }) => [number, timezone]));
}

/** Returns the planner of a campaign that has started. */
export async function loadPlanner(
  db: Queryable,
  { account_id, timing, due_date, schedule, start_date }: CampaignRow,
): Promise<Planner> {
  return createPlanner({
    ...(await readAccountClock(db, account_id)),
    timing,
    // Null for a campaign that a user started before its time.
    local_schedule: timing.local_time && due_date && schedule ? parseTimestamp(schedule) : null,
    start: parseTimestamp(start_date!),
  });
}

/** Returns when the first clock in the world shows the time that the account's clock shows at the scheduled time. */
export async function findFirstLocalTime(db: Queryable, account_id: string, schedule: Date): Promise<Date> {
  const { account_zone } = await readAccountClock(db, account_id);
  return new Date(whenClockShows(clockTime(schedule.getTime(), account_zone), FIRST_ZONE));
}

/** The clock and the quiet hours of an account. */
export const readAccountClock = (
  db: Queryable,
  account_id: string,
): Promise<Pick<PlannerSettings, 'account_zone' | 'account_quiet'>> =>
  db.one(sql`
    select timezone as account_zone, quiet_hours as account_quiet from accounts where id = ${account_id}`);
