import type { Conversion } from '@parley/contract/verifications/verifications.ts';
import { type Queryable, runTogether } from '../kernel/db/db.ts';
import * as queries from './queries.ts';

const DAY_MS = 86_400_000;

/** The figures of the last days, including today, in UTC. */
export async function readConversion(db: Queryable, account_id: string, now: Date, days: number): Promise<Conversion> {
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const dates = Array.from({ length: days }, (_, at) =>
    new Date(today - (days - 1 - at) * DAY_MS).toISOString().slice(0, 10),
  );
  const since = new Date(today - (days - 1) * DAY_MS);
  const [by_day, by_country, by_channel] = await runTogether(
    queries.readConversion(db, account_id, since, 'day'),
    queries.readConversion(db, account_id, since, 'country'),
    queries.readConversion(db, account_id, since, 'channel'),
  );
  const counted = new Map(by_day.map((row) => [row.name, row]));
  const sum = (field: 'sent' | 'verified') => by_day.reduce((total, row) => total + row[field], 0);
  return {
    days,
    total: { sent: sum('sent'), verified: sum('verified') },
    by_day: dates.map((date) => {
      const { sent = 0, verified = 0 } = counted.get(date) ?? {};
      return { date, sent, verified };
    }),
    by_country: by_country.map(({ name, sent, verified }) => ({ country: name, sent, verified })),
    by_channel: by_channel.map(({ name, sent, verified }) => ({ channel: name, sent, verified })),
  };
}
