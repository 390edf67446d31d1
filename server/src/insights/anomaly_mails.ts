/** One email per account and hour about the anomalies that started and ended in it. */
import { type Anomaly, anomalyTitle, formatExpected, formatObserved } from '@parley/contract/insights/anomalies.ts';
import { mailOwners, mailUser } from '../accounts/accounts.ts';
import { sql, type Tx } from '../kernel/db/db.ts';
import type { Kernel } from '../kernel/kernel.ts';

interface News {
  account_id: string;
  /** Empty: the owners. */
  emails: readonly string[];
  hour: Date;
  started: readonly Anomaly[];
  ended: readonly Anomaly[];
}

/** The maximum number of anomalies in an email. */
const MAX_LINES = 20;

export async function mailAnomalies(tx: Tx, { config }: Pick<Kernel, 'config'>, news: News): Promise<void> {
  const { account_id, emails, hour, started, ended } = news;
  const company = await tx.one<{ id: string; company_name: string; currency: string; kind: string }>(
    sql`select id, company_name, currency, kind from accounts where id = ${account_id}`,
  );
  const lines = [
    ...started.map((anomaly) => describeStart(anomaly, company.currency)),
    ...ended.map((anomaly) => describeEnd(anomaly, company.currency)),
  ];
  const rest = lines.length - MAX_LINES;
  const [first] = [...started, ...ended];
  const words = {
    subject: toSubject(started, ended),
    paragraphs: [...lines.slice(0, MAX_LINES), ...(rest > 0 ? [`The app lists ${rest} more.`] : [])],
    action: { label: 'Open anomalies', path: listPath(company.kind, first!) },
    dedupe_key: `anomalies ${account_id} ${hour.toISOString()}`,
  };
  if (emails.length === 0) return mailOwners(tx, { config }, company, words);
  for (const email of emails)
    await mailUser(tx, { config }, { email, first_name: '' }, company, {
      ...words,
      dedupe_key: `${words.dedupe_key}:${email}`,
    });
}

/** Operators see anomalies on the Health page of the admin view. */
const listPath = (kind: string, { id }: Anomaly): string =>
  kind === 'OPERATOR' ? `/health?anomaly=${id}` : `/insights?tab=anomalies&anomaly=${id}`;

function toSubject(started: readonly Anomaly[], ended: readonly Anomaly[]): string {
  const [first] = started;
  if (!first) {
    const [only] = ended;
    return ended.length === 1 ? `Back to normal: ${anomalyTitle(only!)}` : `${ended.length} anomalies ended`;
  }
  if (started.length > 1) return `${started.length} anomalies started`;
  return `${anomalyTitle(first)} is ${first.direction === 'above' ? 'higher' : 'lower'} than usual`;
}

const formatHour = (hour: string): string => `${hour.slice(0, 16)} UTC`;

function describeStart(anomaly: Anomaly, currency: string): string {
  const { metric, hour, observed, expected, sample, compared } = anomaly;
  const format = (value: number) => formatObserved(metric, value, currency);
  const counted = metric === 'volume' ? '' : ` of ${sample.toLocaleString('en-US')} messages`;
  const values = compared.map((one) => `${one.hour.slice(0, 10)}: ${format(one.observed)}`).join(', ');
  return (
    `${anomalyTitle(anomaly)}: ${format(observed)}${counted} in the hour starting ${formatHour(hour)}. Expected: ` +
    `${formatExpected(anomaly, currency)}. The same hour of previous weeks: ${values} (median ${format(expected)}).`
  );
}

const END_WORDS = {
  normal: 'is back to normal',
  quiet: 'has too few messages to compare',
  off: 'is no longer compared',
} as const;

function describeEnd(anomaly: Anomaly, currency: string): string {
  const latest = formatObserved(anomaly.metric, anomaly.latest, currency);
  return (
    `${anomalyTitle(anomaly)} ${END_WORDS[anomaly.end_reason ?? 'normal']}: ${latest} in the hour starting ` +
    `${formatHour(anomaly.latest_hour)}. It started at ${formatHour(anomaly.hour)}.`
  );
}
