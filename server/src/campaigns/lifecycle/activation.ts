/**
 * Starts and ends the trigger of an automation. An active automation is scheduled, and `campaign_triggers` has its
 * audiences, field, campaign, or keyword. The transaction that changes the status also changes these rows.
 */
import type { CampaignStatus } from '@parley/contract/campaigns/statuses.ts';
import { MAX_ACTIVE_AUTOMATIONS, RUNS_ALL_DAY } from '@parley/contract/campaigns/triggers.ts';
import { Problem } from '@parley/contract/problem.ts';
import { type Queryable, type Sql, sql, type Tx } from '../../kernel/db/db.ts';
import { clockTime, whenClockShows } from '../model/local_time.ts';
import { isTriggeredRun } from '../model/reach.ts';
import { type CampaignRow, listAudienceIds } from '../model/row.ts';
import { findFirstLocalTime } from '../timing/planner.ts';

const DAY_MS = 86_400_000;

/** Returns whether the campaign is an automation, and not one of its runs. */
export const isAutomation = (row: CampaignRow): boolean => row.trigger !== null && !isTriggeredRun(row);

/** Makes the automation active, unless it has to wait for approval. */
export async function scheduleAutomation(tx: Tx, row: CampaignRow, passes: () => Promise<boolean>): Promise<void> {
  const { account_id, id } = row;
  const trigger = row.trigger!;
  const { canary } = row.safety;
  const isSplit = row.test !== null || Boolean(canary) || Boolean(row.timing.spread_hours);
  if (row.repeat || (isSplit && RUNS_ALL_DAY.includes(trigger.on))) throw new Problem('CAMPAIGN_TRIGGER_CONFLICT');
  if ((await findTargets(tx, row)).length === 0) throw new Problem('CAMPAIGN_TRIGGER_INVALID');
  if (!(await passes())) return;
  const day = trigger.on === 'date' ? await nextDay(tx, row, tx.now) : null;
  const since = trigger.on === 'no_reply' ? new Date(tx.now.getTime() - trigger.wait_days * DAY_MS) : null;
  await tx.run(sql`
    update campaigns set status = 'scheduled', status_details = null, schedule = ${day?.schedule ?? null},
      due_date = ${day?.due_date ?? since}, trigger_date = greatest(trigger_date, ${since}), update_date = ${tx.now}
    where account_id = ${account_id} and id = ${id}`);
}

/** Returns the next day of an automation with a time on the recipients' clocks, as the account's clock shows it. */
export async function nextDay(db: Queryable, { account_id, account_zone, trigger }: CampaignRow, after: Date) {
  const [hours, minutes] = trigger!.time.split(':').map(Number);
  const today = Math.floor(clockTime(after.getTime(), account_zone) / DAY_MS) * DAY_MS;
  const at = (day: number) => new Date(whenClockShows(day + (hours! * 60 + minutes!) * 60_000, account_zone));
  const schedule = at(today) > after ? at(today) : at(today + DAY_MS);
  return { schedule, due_date: await findFirstLocalTime(db, account_id, schedule) };
}

/** Returns the trigger of the automation; undefined if it is incomplete. */
async function findTargets(db: Queryable, row: CampaignRow): Promise<string[]> {
  const { account_id } = row;
  const { on, field, campaign_id, keyword_id } = row.trigger!;
  const listIds = async (statement: ReturnType<typeof sql>) =>
    (await db.rows<{ id: string }>(statement)).map((r) => r.id);
  switch (on) {
    case 'joined': {
      const audience_ids = listAudienceIds(row);
      const found = await listIds(sql`
        select id from audiences
        where account_id = ${account_id} and id = any(${audience_ids}::uuid[]) and conditions is null`);
      return found.length < audience_ids.length ? [] : found;
    }
    case 'date':
      return listIds(
        sql`select id from contact_fields where account_id = ${account_id} and key = ${field} and kind = 'date'`,
      );
    case 'no_reply':
      return listIds(sql`
        select id from campaigns where account_id = ${account_id} and id = ${campaign_id} and id <> ${row.id}`);
    case 'keyword':
      return listIds(sql`select id from keywords where account_id = ${account_id} and id = ${keyword_id}`);
  }
}

/**
 * Makes `campaign_triggers` follow the status. A paused automation takes no new people, and those who started it
 * before wait.
 */
export async function watchTriggers(tx: Tx, row: CampaignRow): Promise<void> {
  const { account_id, id, status } = row;
  await tx.run(sql`delete from campaign_triggers where account_id = ${account_id} and campaign_id = ${id}`);
  await holdWaiting(tx, row, status);
  if (status !== 'scheduled') return;
  await requireRoom(tx, account_id);
  const { on, imports } = row.trigger!;
  await tx.run(sql`
    insert into campaign_triggers (account_id, campaign_id, kind, target_id, imports)
    select ${account_id}, ${id}, ${on}, t.id, ${imports}
    from unnest(${await findTargets(tx, row)}::uuid[]) as t(id)`);
  await tx.run(sql`
    update campaign_entries set due_date = ${tx.now} where ${isWaiting(row)} and due_date = 'infinity'`);
}

async function requireRoom(tx: Tx, account_id: string): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${account_id}, 7349))`);
  const { active } = await tx.one<{ active: number }>(sql`
    select count(distinct campaign_id)::int as active from campaign_triggers where account_id = ${account_id}`);
  if (active >= MAX_ACTIVE_AUTOMATIONS)
    throw new Problem('CAMPAIGN_TRIGGER_CONFLICT', {
      message: `At most ${MAX_ACTIVE_AUTOMATIONS} automations can be active at once`,
    });
}

type Key = Pick<CampaignRow, 'account_id' | 'id'>;

const isWaiting = ({ account_id, id }: Key): Sql =>
  sql`account_id = ${account_id} and campaign_id = ${id} and run_id is null`;

/** A paused automation keeps the waiting people. An ended or deleted one (`null`) drops them. */
async function holdWaiting(tx: Tx, key: Key, status: CampaignStatus | null): Promise<void> {
  if (status === 'scheduled') return;
  await tx.run(
    status === 'paused'
      ? sql`update campaign_entries set due_date = 'infinity' where ${isWaiting(key)} and due_date < 'infinity'`
      : sql`delete from campaign_entries where ${isWaiting(key)}`,
  );
}

/**
 * A transaction that adds people can commit after the one that changes the status, which has not seen these people.
 * `row` is null if the campaign is locked or deleted.
 */
export async function holdLate(tx: Tx, key: Key, row: CampaignRow | null): Promise<void> {
  if (row) return isAutomation(row) ? holdWaiting(tx, key, row.status) : undefined;
  const found = await tx.maybeOne(sql`
    select from campaigns where account_id = ${key.account_id} and id = ${key.id}`);
  if (!found) await holdWaiting(tx, key, null);
}
