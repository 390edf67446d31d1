/**
 * The runs of automations. `campaign_entries` has one row for each person and each time that something happened to
 * them. One transaction under the lock of the automation chooses the people, makes them recipients of a run, and starts
 * the run. A crash or a second worker can therefore neither repeat nor lose anyone.
 *
 * People who join an audience or send a keyword are collected in one run per day, which is open until the day ends on
 * the account's clock. Dates and missing replies have their own run for each day and each source campaign.
 */
import { type CampaignReason, campaignCreated } from '@parley/contract/campaigns/campaigns.ts';
import { RUNS_ALL_DAY } from '@parley/contract/campaigns/triggers.ts';
import { parseTimestamp } from '@parley/contract/common.ts';
import { newId } from '../../kernel/clock.ts';
import { customPlan, type Queryable, raw, type Sql, sql, type Tx } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { emit } from '../../kernel/live/events.ts';
import { announce, reread } from '../model/announce.ts';
import { clockTime, whenClockShows } from '../model/local_time.ts';
import { addTriggered, draftReach, isInAudiences } from '../model/reach.ts';
import { type CampaignRow, toCampaign } from '../model/row.ts';
import { wakeFanout } from '../model/wake.ts';
import { REACHED } from '../progress/responses.ts';
import { nextDay } from './activation.ts';
import { insertRun, launchRun } from './series.ts';

const DAY_MS = 86_400_000;
/** The people that one transaction adds to a run. */
const PORTION = 5_000;
/** A person gets the message of a yearly date at most once in this time, even if the date changes. */
const YEARLY_DAYS = 180;
/** How often an automation looks for source campaigns that have ended. */
const SOURCES_MS = 600_000;

/** Starts the run that is due. With a reason, the run is paused instead, because it could not start. */
export async function runAutomation(
  tx: Tx,
  kernel: Kernel,
  row: CampaignRow,
  refusal: CampaignReason | null,
): Promise<void> {
  const { on } = row.trigger!;
  if (RUNS_ALL_DAY.includes(on)) await runCollected(tx, kernel, row, refusal);
  else if (on === 'date') await runDay(tx, kernel, row, refusal);
  else await runSources(tx, kernel, row, refusal);
}

/** Adds the waiting people to the day's open run, or to a new run. */
async function runCollected(tx: Tx, kernel: Kernel, row: CampaignRow, refusal: CampaignReason | null): Promise<void> {
  const { account_id, id } = row;
  const open = await lockOpenRun(tx, row);
  const run_id = open?.id ?? newId();
  const added = await takeWaiting(tx, row, run_id);
  if (added.length === 0) return;
  if (!open) {
    const end = Math.floor(clockTime(tx.now.getTime(), row.account_zone) / DAY_MS + 1) * DAY_MS;
    const open_until = new Date(whenClockShows(end, row.account_zone));
    await insertRun(tx, row, run_id, { run_date: tx.now, open_until, is_scheduled: false });
    // The people who join later could not be looked up before the start.
    await tx.run(sql`
      update campaigns set safety = safety || '{"lookup": false}' where account_id = ${account_id} and id = ${run_id}`);
    await launch(tx, kernel, run_id, row, refusal);
  } else if (open.start_date !== null) {
    const last = await addTriggered(tx, open, added, open.last_contact_id);
    await tx.run(sql`
      update campaigns set total = total + ${added.length}, last_contact_id = ${last}, fanout_date = null,
        update_date = ${tx.now}
      where account_id = ${account_id} and id = ${run_id}`);
    await announce(tx, account_id, run_id, 'moved');
    tx.afterCommit(wakeFanout);
  }
  await announce(tx, account_id, id, 'moved');
}

async function launch(tx: Tx, kernel: Kernel, run_id: string, row: CampaignRow, refusal: CampaignReason | null) {
  await launchRun(tx, kernel, run_id, row, refusal);
  emit(tx, campaignCreated, row.account_id, toCampaign(await reread(tx, row.account_id, run_id)));
}

/** The fan-out and the counting use the same lock. */
async function lockOpenRun(tx: Tx, { account_id, id }: CampaignRow): Promise<CampaignRow | null> {
  const run = await tx.maybeOne<{ id: string }>(sql`
    select id from campaigns
    where account_id = ${account_id} and series_id = ${id} and open_until > ${tx.now}
      and status in ('in_progress', 'paused', 'error')
    order by run_date desc limit 1 for update`);
  return run && reread(tx, account_id, run.id);
}

/**
 * Makes the next people recipients of the run and returns their numbers. People who left the audiences, and those whom
 * the re-entry rule or the run itself excludes, no longer wait. The number of a person who was merged is that of the
 * person who stayed.
 */
async function takeWaiting(tx: Tx, row: CampaignRow, run_id: string): Promise<{ number: string }[]> {
  const { account_id, id } = row;
  const key = sql`account_id = ${account_id} and campaign_id = ${id}`;
  const due = await tx.rows<{ number: string; occurrence: string; person_id: string | null; now: string | null }>(sql`
    select e.number, e.occurrence, coalesce(p.id, o.id) as person_id, coalesce(p.number, o.number) as now
    from (
      select number, occurrence, due_date from campaign_entries
      where ${key} and run_id is null and due_date <= ${tx.now} order by due_date limit ${PORTION}
    ) e
    left join people p on p.account_id = ${account_id} and p.number = e.number
    left join person_numbers n on n.account_id = ${account_id} and n.number = e.number
    left join people o on o.account_id = ${account_id} and o.id = n.person_id
    order by e.due_date, e.occurrence`);
  const allowed = await listAllowed(tx, row, run_id, [...new Set(due.flatMap(({ person_id }) => person_id ?? []))]);
  const taken = due.filter(({ person_id }) => person_id !== null && allowed.delete(person_id));
  const left = new Set(due);
  for (const entry of taken) left.delete(entry);
  await tx.run(sql`
    delete from campaign_entries e
    using unnest(${[...left].map(({ number }) => number)}::text[],
                 ${[...left].map(({ occurrence }) => occurrence)}::text[]) as t(number, occurrence)
    where e.account_id = ${account_id} and e.campaign_id = ${id} and e.number = t.number
      and e.occurrence = t.occurrence`);
  await tx.run(sql`
    update campaign_entries e set run_id = ${run_id}, due_date = ${tx.now}, number = t.now
    from unnest(${taken.map(({ number }) => number)}::text[], ${taken.map(({ occurrence }) => occurrence)}::text[],
                ${taken.map(({ now }) => now)}::text[]) as t(number, occurrence, now)
    where e.account_id = ${account_id} and e.campaign_id = ${id} and e.number = t.number
      and e.occurrence = t.occurrence`);
  return taken.map(({ now }) => ({ number: now! }));
}

/** Returns which of these people may get the message now. */
async function listAllowed(tx: Tx, row: CampaignRow, run_id: string, ids: readonly string[]): Promise<Set<string>> {
  const { account_id } = row;
  const reach = await draftReach(tx, row, tx.now);
  const rows = await tx.rows<{ id: string }>(
    customPlan(sql`
      select k.id from unnest(${ids}::uuid[]) as i(id)
      cross join lateral (
        select p.id, p.number from people p where p.account_id = ${account_id} and p.id = i.id offset 0
      ) k
      where ${isInAudiences(reach)} and not ${hadMessage(row, tx.now, run_id)}`),
  );
  return new Set(rows.map(({ id }) => id));
}

/** Whether the re-entry rule excludes the person `k`, or the person is in the run under any number. */
function hadMessage({ account_id, id, trigger }: CampaignRow, now: Date, run_id: string): Sql {
  const { reentry, reentry_days, on, yearly } = trigger!;
  const days =
    reentry === 'once' ? null : reentry === 'days' ? reentry_days : on === 'date' && yearly ? YEARLY_DAYS : 0;
  const isRecent =
    days === null ? raw('true') : sql`e.due_date > ${new Date(now.getTime() - days * DAY_MS)}::timestamptz`;
  return sql`exists (
    select from (
      select k.number
      union all
      select n.number from person_numbers n where n.account_id = ${account_id} and n.person_id = k.id
    ) x
    join campaign_entries e on e.account_id = ${account_id} and e.campaign_id = ${id} and e.number = x.number
    where e.run_id is not null and (e.run_id = ${run_id}::uuid or ${isRecent})
  )`;
}

/** Starts the run for the people whose date is on the day of the schedule, and moves on to the next day. */
async function runDay(tx: Tx, kernel: Kernel, row: CampaignRow, refusal: CampaignReason | null): Promise<void> {
  const schedule = parseTimestamp(row.schedule!);
  const run_id = newId();
  const matches = matchDay(row, clockTime(schedule.getTime(), row.account_zone));
  const added = await addEntries(tx, row, run_id, matches);
  if (added > 0) {
    await insertRun(tx, row, run_id, { run_date: schedule, open_until: null, is_scheduled: true });
    await tx.run(sql`
      update campaigns set timing = timing || '{"local_time": true}'
      where account_id = ${row.account_id} and id = ${run_id}`);
    await launch(tx, kernel, run_id, row, refusal);
  }
  await skipDay(tx, row);
}

/** Moves on to the next day. After an outage, days in the past are left out. */
export async function skipDay(tx: Tx, row: CampaignRow): Promise<void> {
  const after = Math.max(parseTimestamp(row.schedule!).getTime(), tx.now.getTime());
  const next = await nextDay(tx, row, new Date(after));
  await tx.run(sql`
    update campaigns set schedule = ${next.schedule}, due_date = ${next.due_date}, update_date = ${tx.now}
    where account_id = ${row.account_id} and id = ${row.id}`);
  await announce(tx, row.account_id, row.id);
}

/** Selects the people of a day: `number`, `id`, and `occurrence`. */
function matchDay({ account_id, trigger }: CampaignRow, clock: number): Sql {
  const { offset_days, yearly, field } = trigger!;
  const day = new Date(Math.floor(clock / DAY_MS) * DAY_MS - offset_days * DAY_MS);
  const date = day.toISOString().slice(0, 10);
  const [month, of_month, year] = [day.getUTCMonth() + 1, day.getUTCDate(), day.getUTCFullYear()];
  const days = [month * 100 + of_month];
  // In other years, February 29 counts as February 28.
  if (days[0] === 228 && new Date(Date.UTC(year, 1, 29)).getUTCMonth() !== 1) days.push(229);
  const isDay = yearly
    ? sql`d.day = any(${days}::smallint[]) and d.date <= ${date}::date`
    : sql`d.date = ${date}::date`;
  return sql`
    select p.id, p.number, ${yearly ? String(year) : date}::text as occurrence
    from person_dates d
    join people p on p.account_id = d.account_id and p.id = d.person_id
    where d.account_id = ${account_id} and d.key = ${field} and ${isDay} and p.fields ->> d.key = d.date::text`;
}

/** Starts a run for the source campaigns that ended long enough ago. */
async function runSources(tx: Tx, kernel: Kernel, row: CampaignRow, refusal: CampaignReason | null): Promise<void> {
  const { account_id, id } = row;
  const wait_ms = row.trigger!.wait_days * DAY_MS;
  const until = new Date(tx.now.getTime() - wait_ms);
  const sources = await listEndedSources(tx, row);
  const due = sources.filter(({ end_date }) => parseTimestamp(end_date) <= until);
  const run_id = newId();
  const added = due.length > 0 ? await addEntries(tx, row, run_id, matchSilent(row, due)) : 0;
  if (added > 0) {
    await insertRun(tx, row, run_id, { run_date: tx.now, open_until: null, is_scheduled: false });
    await launch(tx, kernel, run_id, row, refusal);
  }
  const next = sources.find((source) => !due.includes(source));
  const at = Math.min(
    tx.now.getTime() + SOURCES_MS,
    next ? parseTimestamp(next.end_date).getTime() + wait_ms : Infinity,
  );
  await tx.run(sql`
    update campaigns set due_date = ${new Date(at)},
      trigger_date = greatest(trigger_date, ${due.at(-1)?.exact_date ?? null}::timestamptz)
    where account_id = ${account_id} and id = ${id}`);
  if (added > 0) await announce(tx, account_id, id);
}

interface Source {
  id: string;
  end_date: string;
  exact_date: string;
}

/** The source campaign and its runs that have ended and had no run of the automation yet. */
const listEndedSources = (db: Queryable, { account_id, id, trigger }: CampaignRow) =>
  db.rows<Source>(sql`
    select s.id, s.end_date, s.end_date::text as exact_date from (
      select id, end_date, status, start_date from campaigns
      where account_id = ${account_id} and id = ${trigger!.campaign_id}
      union all
      select id, end_date, status, start_date from campaigns
      where account_id = ${account_id} and series_id = ${trigger!.campaign_id}
    ) s
    where s.start_date is not null and s.status in ('completed', 'canceled') 
      and s.end_date > (select trigger_date from campaigns where account_id = ${account_id} and id = ${id})
    order by s.end_date, s.id`);

/** Selects the recipients of the sources who got the message and have written nothing to its sender since then. */
const matchSilent = ({ account_id }: CampaignRow, sources: readonly Source[]): Sql => sql`
  select distinct on (p.id) p.id, p.number, m.campaign_id::text as occurrence
  from messages m
  cross join lateral (
    select o.id, o.number from people o where o.account_id = ${account_id} and o.number = m.number
    union all
    select o.id, o.number from person_numbers n join people o on o.account_id = n.account_id and o.id = n.person_id
    where n.account_id = ${account_id} and n.number = m.number
    limit 1
  ) p
  where m.account_id = ${account_id} and m.campaign_id = any(${sources.map((source) => source.id)}::uuid[])
    and m.status = any(${REACHED}::text[])
    and not exists (
      select from messages i
      where i.account_id = m.account_id and i.number = m.number and i.sender_id = m.sender_id and i.direction = 'MO'
        and i.create_date >= m.create_date
    )
  order by p.id, m.id desc`;

/** Makes the selected people recipients of the run, except those whom the rules exclude. Returns their number. */
async function addEntries(tx: Tx, row: CampaignRow, run_id: string, selected: Sql): Promise<number> {
  const { account_id, id } = row;
  const reach = await draftReach(tx, row, tx.now);
  return tx.run(
    customPlan(sql`
      insert into campaign_entries (account_id, campaign_id, number, occurrence, due_date, run_id)
      select ${account_id}::uuid, ${id}::uuid, k.number, k.occurrence, ${tx.now}, ${run_id}::uuid
      from (${selected}) k
      where ${isInAudiences(reach)} and not ${hadMessage(row, tx.now, run_id)}
      on conflict do nothing`),
  );
}
