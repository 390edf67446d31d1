/** The calendar of campaigns, and the tags in use. */
import type {
  CalendarEntry,
  getCalendar as endpoint,
  listTags as tagsEndpoint,
} from '@parley/contract/campaigns/calendar.ts';
import { MAX_CALENDAR_DAYS } from '@parley/contract/campaigns/calendar.ts';
import { parseTimestamp } from '@parley/contract/common.ts';
import type { Item, Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import { type Queryable, runTogether, sql } from '../kernel/db/db.ts';
import { type CampaignRow, campaignSelect } from './model/row.ts';
import { listRunTimes } from './model/run_times.ts';

const DAY_MS = 86_400_000;
const MAX_ENTRIES = 1_000;
const MAX_SERIES = 100;

export async function getCalendar(
  db: Queryable,
  account_id: string,
  { from, to, channel }: Parsed<typeof endpoint>['query'],
): Promise<CalendarEntry[]> {
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (days < 1 || days > MAX_CALENDAR_DAYS)
    throw new Problem('VALUE_INVALID', { field: 'to', message: `Choose 1 to ${MAX_CALENDAR_DAYS} days` });
  const range = await db.one<{ start: string; end: string }>(sql`
    select ${from}::timestamp at time zone timezone as start, (${to}::date + 1)::timestamp at time zone timezone as end
    from accounts where id = ${account_id}`);
  const ofChannel = channel ? sql`and c.channel = ${channel}` : sql``;
  const time = sql`coalesce(c.start_date, c.schedule, c.create_date)`;
  const waiting = sql`coalesce(c.schedule, a.request_date)`;
  const [single, approvals, series] = await runTogether(
    db.rows<CalendarEntry>(sql`
      select c.id as campaign_id, c.name, c.channel, c.status, ${time} as at,
             case when c.start_date is null then 'scheduled' else 'sent' end as kind,
             case when c.start_date is not null then c.total end as recipients
      from campaigns c
      where c.account_id = ${account_id} ${ofChannel} and ${time} >= ${range.start}::timestamptz
        and ${time} < ${range.end}::timestamptz
        and (c.start_date is not null or (c.status = 'scheduled' and c.repeat is null))
      order by ${time}, c.id limit ${MAX_ENTRIES}`),
    db.rows<CalendarEntry>(sql`
      select c.id as campaign_id, c.name, c.channel, c.status, ${waiting} as at, 'approval' as kind, a.recipients
      from campaigns c
      join campaign_approvals a on a.account_id = c.account_id and a.id = c.approval_id
      where c.account_id = ${account_id} ${ofChannel} and c.approval_status = 'requested' and c.start_date is null
        and ${waiting} >= ${range.start}::timestamptz and ${waiting} < ${range.end}::timestamptz
      order by ${waiting}, c.id limit ${MAX_ENTRIES}`),
    db.rows<CampaignRow>(sql`
      ${campaignSelect} where c.account_id = ${account_id} ${ofChannel} and c.status = 'scheduled'
        and c.repeat is not null
      order by c.id limit ${MAX_SERIES}`),
  );
  const runs = series.flatMap((row) => listRuns(row, range));
  return [...single, ...approvals, ...runs]
    .sort((a, b) => a.at.localeCompare(b.at) || a.campaign_id.localeCompare(b.campaign_id))
    .slice(0, MAX_ENTRIES);
}

function listRuns(row: CampaignRow, range: { start: string; end: string }): CalendarEntry[] {
  const [start, end] = [parseTimestamp(range.start), parseTimestamp(range.end)];
  const next = parseTimestamp(row.schedule!);
  const { id: campaign_id, name, channel, status } = row;
  return listRunTimes(row, next > start ? next : start, MAX_CALENDAR_DAYS)
    .filter((time) => time < end)
    .map((time) => ({
      ...{ campaign_id, name, channel, status, kind: 'run' as const, recipients: null },
      at: time.toISOString().slice(0, 19).replace('T', ' '),
    }));
}

export const listTags = (db: Queryable, account_id: string): Promise<Item<typeof tagsEndpoint>> =>
  db.rows(sql`
    select tag, count(*) as campaigns from campaigns, unnest(tags) as tag
    where account_id = ${account_id} group by tag order by count(*) desc, tag limit 200`);
