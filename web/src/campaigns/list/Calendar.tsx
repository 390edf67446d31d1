/** The month calendar of campaigns: past starts, scheduled campaigns, and runs. On phones, a list by day. */
import { ActionIcon, Button } from '@mantine/core';
import { APPROVAL_STATUS } from '@parley/contract/campaigns/approval_words.ts';
import { type CalendarEntry, getCalendar } from '@parley/contract/campaigns/calendar.ts';
import { CAMPAIGN_STATUS } from '@parley/contract/campaigns/statuses.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useEndpoint } from '../../kernel/http/query.ts';
import { campaignPath, campaignsPath } from '../../paths.ts';
import { dayKey, formatCount, formatTime } from '../../ui/data/format.ts';
import { StatusBadge } from '../../ui/data/StatusBadge.tsx';
import { useZone } from '../../ui/data/zone.ts';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import styles from './Calendar.module.css';

const DAY_MS = 86_400_000;
const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const monthName = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const dayName = new Intl.DateTimeFormat('en-US', { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' });
const toKey = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** The days of the weeks that contain the month, from a Monday to a Sunday. */
export function listDays(month: string): string[] {
  const first = Date.parse(`${month}-01`);
  const next = Date.UTC(new Date(first).getUTCFullYear(), new Date(first).getUTCMonth() + 1);
  const start = first - ((new Date(first).getUTCDay() + 6) % 7) * DAY_MS;
  const weeks = Math.ceil((next - start) / (7 * DAY_MS));
  return Array.from({ length: weeks * 7 }, (_, day) => toKey(start + day * DAY_MS));
}

function moveMonth(month: string, by: number): string {
  const date = new Date(`${month}-01`);
  return toKey(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + by)).slice(0, 7);
}

export default function Calendar({ channel }: { channel: ChannelName }) {
  const zone = useZone();
  const navigate = useNavigate();
  const search = useSearch({ strict: false }) as { month?: string };
  const today = dayKey(Date.now(), zone);
  const month = /^20\d{2}-(0[1-9]|1[0-2])$/.test(search.month ?? '') ? search.month! : today.slice(0, 7);
  const days = listDays(month);
  const query = useEndpoint(
    getCalendar,
    { query: { from: days[0]!, to: days.at(-1)!, channel } },
    { keepPrevious: true },
  );
  const open = (next: string) =>
    void navigate({ href: `${campaignsPath(channel)}?layout=calendar&month=${next}`, replace: true });
  const byDay = Map.groupBy(query.data?.data ?? [], ({ at }) => dayKey(at, zone));
  return (
    <section aria-label="Calendar">
      <div className={styles.head}>
        <ActionIcon variant="default" size={32} aria-label="Previous month" onClick={() => open(moveMonth(month, -1))}>
          <IconChevronLeft size={16} aria-hidden />
        </ActionIcon>
        <ActionIcon variant="default" size={32} aria-label="Next month" onClick={() => open(moveMonth(month, 1))}>
          <IconChevronRight size={16} aria-hidden />
        </ActionIcon>
        <h2 aria-live="polite">{monthName.format(new Date(`${month}-01`))}</h2>
        <Button size="xs" variant="subtle" onClick={() => open(today.slice(0, 7))}>
          Today
        </Button>
      </div>
      {query.error && !query.data ? (
        <ErrorState
          title="The calendar could not be loaded"
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
        >
          {query.error.message}
        </ErrorState>
      ) : !query.data ? (
        <SkeletonLines lines={12} />
      ) : (
        <Month month={month} days={days} today={today} byDay={byDay} />
      )}
    </section>
  );
}

interface MonthProps {
  month: string;
  days: readonly string[];
  today: string;
  byDay: ReadonlyMap<string, readonly CalendarEntry[]>;
}

function Month({ month, days, today, byDay }: MonthProps) {
  const isEmpty = days.every((day) => !day.startsWith(month) || !byDay.has(day));
  return (
    <>
      <div className={styles.weekdays} aria-hidden>
        {WEEKDAYS.map((name) => (
          <span key={name}>{name}</span>
        ))}
      </div>
      <ol className={styles.days}>
        {days.map((day) => {
          const entries = byDay.get(day) ?? [];
          return (
            <li
              key={day}
              className={styles.day}
              data-outside={!day.startsWith(month) || undefined}
              data-today={day === today || undefined}
              data-empty={entries.length === 0 || undefined}
            >
              <time dateTime={day} className={styles.date}>
                <span className={styles.short}>{Number(day.slice(8))}</span>
                <span className={styles.long}>{dayName.format(new Date(day))}</span>
              </time>
              {entries.length > 0 && (
                <ul className={styles.entries}>
                  {entries.map((entry) => (
                    <Entry key={`${entry.campaign_id} ${entry.at}`} entry={entry} />
                  ))}
                </ul>
              )}
            </li>
          );
        })}
      </ol>
      {isEmpty && <p className={styles.none}>No campaigns in this month.</p>}
    </>
  );
}

function Entry({ entry }: { entry: CalendarEntry }) {
  const zone = useZone();
  const { campaign_id, name, channel, status, kind, recipients, at } = entry;
  const word = kind === 'approval' ? APPROVAL_STATUS.requested : CAMPAIGN_STATUS[status];
  return (
    <li>
      <Link to={campaignPath({ id: campaign_id, channel })} className={styles.entry} data-tone={word.tone}>
        <span className={styles.time}>{formatTime(at, zone)}</span>
        <bdi className={styles.name}>{name}</bdi>
        {kind === 'approval' && <span className={styles.short}>Needs approval</span>}
        <span className={styles.long}>
          <StatusBadge {...word} />
          {kind === 'run' && 'Repeats'}
          {recipients !== null && formatCount(recipients, 'recipient')}
        </span>
      </Link>
    </li>
  );
}
