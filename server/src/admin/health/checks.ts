/** The health checks. Each returns its verdict and value, and tells operators what to do if it did not pass. */
import type { Health } from '@parley/contract/admin/customers.ts';
import { SENDING_STATES, type SendingHold } from '@parley/contract/admin/sending_hold.ts';
import { getAdapter } from '../../channels/index.ts';
import { PROXY_ADVICE } from '../../kernel/http/proxy.ts';
import type * as queries from './health_queries.ts';

/** `figure` is the number whose trend is shown. */
type Check = Omit<Health['checks'][number], 'trend'> & { figure?: number };
type Level = Health['status'];

const count = (n: number, singular: string, plural = `${singular}s`): string =>
  `${n.toLocaleString('en-US')} ${n === 1 ? singular : plural}`;

export function duration(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} days`;
}

const BATTERY_PERCENT = { warning: 25, bad: 10 } as const;
/** The app reports its state every few minutes, or as often as its settings say. */
const SILENT_SECONDS = 3_600;

/** The battery and the network of each phone that sends messages. Shown only if there are phones. */
export function checkDevices(devices: readonly queries.Device[]): Check[] {
  if (devices.length === 0) return [];
  const states = devices.map(({ name, state, seconds }) => {
    const { battery_percent, is_charging, is_online, network, failed_count } = state;
    const problems = [
      ...(seconds > SILENT_SECONDS ? [`no report for ${duration(seconds)}`] : []),
      ...(is_online ? [] : ['no internet connection']),
      ...(!is_charging && battery_percent < BATTERY_PERCENT.warning ? ['not charging'] : []),
      ...(failed_count > 0 ? [`${count(failed_count, 'failed message')} in the last hour`] : []),
    ];
    const signal = network === 'none' || network === 'unknown' ? '' : `, ${network}`;
    const text = `${name}: battery ${battery_percent}%${is_charging ? ', charging' : ''}${signal}`;
    const isBad = !is_online || seconds > SILENT_SECONDS || (!is_charging && battery_percent < BATTERY_PERCENT.bad);
    return { text: [text, ...problems].join(', '), level: isBad ? 2 : problems.length > 0 ? 1 : 0, battery_percent };
  });
  return [
    {
      name: 'devices',
      label: 'Android phones',
      status: (['good', 'warning', 'bad'] as const)[Math.max(...states.map((state) => state.level))]!,
      value: `Lowest battery ${Math.min(...states.map((state) => state.battery_percent))}%`,
      detail: states.map(({ text }) => text).join('. '),
    },
  ];
}

/** How much of the daily limit of each connection is taken. Shown only if there are limits. */
export function checkDailyLimits(limits: readonly queries.DailyLimit[]): Check[] {
  if (limits.length === 0) return [];
  const full = limits.filter(({ daily_limit, taken_today }) => taken_today >= daily_limit);
  const text = ({ name, daily_limit, taken_today }: queries.DailyLimit) =>
    `${name}: ${taken_today.toLocaleString('en-US')} of ${daily_limit.toLocaleString('en-US')} messages today`;
  return [
    {
      name: 'daily_limits',
      label: 'Daily limits',
      status: full.length > 0 ? 'warning' : 'good',
      value: full.length > 0 ? `${full.length} of ${limits.length} reached` : 'Not reached',
      detail: [
        ...limits.map(text),
        ...(full.length > 0 ? ['New messages take another route, or wait until midnight UTC'] : []),
      ].join('. '),
    },
  ];
}

const level = (value: number, warning: number, bad: number): Level =>
  value >= bad ? 'bad' : value >= warning ? 'warning' : 'good';

export function checkWorkers(workers: Health['workers']): Check {
  const alive = workers.filter((worker) => worker.alive).length;
  return {
    name: 'workers',
    label: 'Workers',
    status: alive === 0 ? 'bad' : 'good',
    value: alive === 0 ? 'None' : count(alive, 'worker'),
    detail:
      alive === 0 ? 'Messages are not sent and jobs do not run. Start a process with --role=worker or --role=all.' : '',
  };
}

export function checkSending({ state, connections }: SendingHold): Check {
  const remaining = connections.reduce((sum, row) => sum + row.remaining, 0);
  return {
    name: 'sending',
    label: 'Sending',
    status: state === 'open' ? 'good' : 'bad',
    value: SENDING_STATES[state].label,
    detail:
      state === 'open'
        ? ''
        : state === 'checking'
          ? 'The database was replaced. Workers are checking its contents.'
          : `The database was replaced. Decide what to do with ${count(remaining, 'message')} that may have been sent.`,
  };
}

/** A connection is healthy only with all its binds, so a surplus elsewhere never hides one that is down. */
export function checkBinds(connections: readonly queries.ConnectionState[]): Check {
  const states = connections.map((connection) => {
    const desired = getAdapter(connection.adapter).binds(connection);
    return { ...connection, desired, up: connection.paused ? 0 : Math.min(connection.up, desired) };
  });
  const desired = states.reduce((sum, state) => sum + state.desired, 0);
  const up = states.reduce((sum, state) => sum + state.up, 0);
  const problems = states.flatMap((state) => bindProblem(state) ?? []);
  return {
    name: 'lines',
    label: 'Carrier binds',
    status: states.some((state) => state.up === 0) ? 'bad' : problems.length > 0 ? 'warning' : 'good',
    value: desired === 0 ? 'None' : `${up} of ${desired} up`,
    detail: states.length === 0 ? 'No connection is enabled.' : problems.join(', '),
    figure: up,
  };
}

function bindProblem({
  name,
  adapter,
  up,
  desired,
  paused,
  pause_reason,
  detail,
  up_detail,
}: queries.ConnectionState & { desired: number }): string | null {
  if (paused) return `${name}: paused (${pause_reason})`;
  const cause = detail === '' ? '' : ` (${detail})`;
  if (up < desired) return `${name}: ${up} of ${desired}${cause}`;
  // A bind over HTTP has no session that proves the carrier is there. It keeps an error until a message succeeds.
  const isDoubtful = getAdapter(adapter).callbacks !== undefined && up_detail !== '';
  return isDoubtful ? `${name}: no message accepted since an error (${up_detail})` : null;
}

/** Routes avoid a connection in poor health although it is up. */
export function checkConnectionHealth(connections: readonly Pick<queries.ConnectionState, 'name' | 'poor'>[]): Check {
  const poor = connections.filter((connection) => connection.poor !== '');
  const reasons = poor.map((connection) => `${connection.name}: ${connection.poor}`).join('. ');
  return {
    name: 'connections',
    label: 'Connection health',
    status: poor.length > 0 ? 'warning' : 'good',
    value: poor.length > 0 ? `${poor.length} of ${connections.length} avoided` : 'None avoided',
    detail: reasons && `${reasons}. New messages take other routes, if there are any.`,
    figure: poor.length,
  };
}

export function checkReceipts(unmatched: readonly queries.UnmatchedReceipts[]): Check {
  const total = unmatched.reduce((sum, row) => sum + row.count, 0);
  const names = unmatched.map((row) => `${row.name}: ${row.count.toLocaleString('en-US')}`).join(', ');
  return {
    name: 'receipts',
    label: 'Delivery receipts',
    status: level(total, 1, 1_000),
    value: total === 0 ? 'All matched' : `${count(total, 'receipt')} unmatched`,
    detail:
      total === 0
        ? ''
        : `In the last hour: ${names}. Open the list and compare its message IDs with the settings of the connection.`,
    figure: total,
  };
}

/** Errors that a carrier reported about our account with it, such as an exceeded limit. They do not stop a bind. */
export function checkCarrierErrors(errors: readonly queries.CarrierError[]): Check {
  return {
    name: 'carrier_errors',
    label: 'Carrier errors',
    status: errors.length > 0 ? 'warning' : 'good',
    value: errors.length === 0 ? 'None in 24 hours' : count(errors.length, 'connection'),
    detail: errors.map(({ name, error_text }) => `${name}: ${error_text}`).join(', '),
    figure: errors.length,
  };
}

export function checkMessages({
  waiting,
  oldest_seconds,
  ambiguous,
}: Awaited<ReturnType<typeof queries.readMessageQueue>>): Check {
  const age = oldest_seconds ?? 0;
  const unresolved = ambiguous > 0 ? `${count(ambiguous, 'message')} without a carrier response after a crash.` : '';
  return {
    name: 'messages',
    label: 'Messages waiting',
    status: waiting > 0 ? level(age, 60, 900) : 'good',
    value: waiting > 10_000 ? 'More than 10,000' : waiting.toLocaleString('en-US'),
    detail: [age >= 60 ? `The oldest has been due for ${duration(age)}.` : '', unresolved].filter(Boolean).join(' '),
    figure: waiting,
  };
}

export function checkJobs(jobs: readonly queries.Queue[]): Check {
  const waiting = jobs.reduce((sum, job) => sum + job.waiting, 0);
  const failed = jobs.filter((job) => job.failed > 0);
  const age = Math.max(0, ...jobs.map((job) => job.oldest_seconds ?? 0));
  const late = level(age, 120, 1_800);
  return {
    name: 'jobs',
    label: 'Jobs waiting',
    status: late === 'good' && failed.length > 0 ? 'warning' : late,
    value: waiting.toLocaleString('en-US'),
    detail: [
      late === 'good' ? '' : `The oldest has been due for ${duration(age)}.`,
      failed.length > 0
        ? `Failed in the last day: ${failed.map((job) => `${job.name} (${job.failed})`).join(', ')}.`
        : '',
    ]
      .filter(Boolean)
      .join(' '),
    figure: waiting,
  };
}

export function checkMails(
  { mails_waiting, mails_oldest_seconds, mails_failed }: queries.Figures,
  has_server: boolean,
): Check {
  const late = mails_waiting > 0 ? level(mails_oldest_seconds ?? 0, 300, 3_600) : 'good';
  return {
    name: 'mails',
    label: 'Emails waiting',
    status: !has_server ? 'warning' : late === 'good' && mails_failed > 0 ? 'warning' : late,
    value: mails_waiting.toLocaleString('en-US'),
    detail: [
      has_server ? '' : 'No mail server is set (SMTP_URL). Emails wait in the outbox until it is set.',
      late === 'good' ? '' : `The oldest has been waiting for ${duration(mails_oldest_seconds ?? 0)}.`,
      mails_failed > 0 ? `${count(mails_failed, 'email')} could not be delivered in the last day.` : '',
    ]
      .filter(Boolean)
      .join(' '),
    figure: mails_waiting,
  };
}

export const checkEvents = (seconds: number): Check => ({
  name: 'events',
  label: 'Live event delay',
  status: level(seconds, 5, 60),
  value: duration(seconds),
  detail: seconds >= 5 ? 'Open pages and webhooks receive changes late.' : '',
  figure: Math.round(seconds),
});

export function checkMoney({ ledger_mismatch, ledger_age_seconds }: queries.Figures): Check {
  const is_old = (ledger_age_seconds ?? 0) > 7_200;
  return {
    name: 'money',
    label: 'Ledger',
    status: ledger_mismatch > 0 ? 'bad' : is_old ? 'warning' : 'good',
    value: ledger_mismatch > 0 ? `${count(ledger_mismatch, 'sum')} wrong` : 'Balanced',
    detail:
      ledger_mismatch > 0
        ? 'Run the doctor to find the accounts.'
        : is_old
          ? `Last checked ${duration(ledger_age_seconds ?? 0)} ago. The usual interval is half an hour.`
          : '',
  };
}

export const checkPayments = ({ differences_count }: queries.Figures): Check => ({
  name: 'payments',
  label: 'Payment provider',
  status: differences_count > 0 ? 'warning' : 'good',
  value: differences_count > 0 ? count(differences_count, 'open difference') : 'No differences',
  detail: differences_count > 0 ? 'Resolve them in Payments, Reconciliation.' : '',
});

export const checkCodes = ({ length }: readonly unknown[]): Check => ({
  name: 'codes',
  label: 'Verification codes by SMS',
  status: length > 0 ? 'warning' : 'good',
  value: length > 0 ? count(length, 'code stop') : 'No restrictions',
  detail: length > 0 ? 'The number of unused codes rose suddenly. Check for fraud, then allow codes again.' : '',
});

export const checkProxy = (proxy: string | null, is_set: boolean): Check => ({
  name: 'proxy',
  label: 'Reverse proxy',
  status: proxy === null ? 'good' : 'warning',
  value: proxy !== null ? 'Not trusted' : is_set ? 'Trusted' : 'None seen',
  detail:
    proxy === null
      ? ''
      : `${proxy} sends X-Forwarded-For but is not in TRUST_PROXY. ${PROXY_ADVICE} ` +
        `If this is your proxy, set TRUST_PROXY=${proxy}.`,
});

/** Shown only if a scanner is set. `error` is null if it responded. */
export function checkScanner(address: string | null, error: string | null): Check[] {
  if (!address) return [];
  return [
    {
      name: 'scanner',
      label: 'Malware scanner',
      status: error === null ? 'good' : 'bad',
      value: error === null ? 'Responds' : 'Does not respond',
      detail:
        error === null ? '' : `${address}: ${error}. Uploads are refused, and received files wait until it responds.`,
    },
  ];
}

export function checkDatabase(bytes: number, elapsed_ms: number, missing: readonly string[]): Check {
  return {
    name: 'database',
    label: 'Database',
    status: missing.length > 0 ? 'bad' : level(elapsed_ms, 1_000, 5_000),
    value: size(bytes),
    detail:
      missing.length > 0
        ? `Migrations are missing: ${missing.join(', ')}.`
        : elapsed_ms >= 1_000
          ? `These checks took ${(elapsed_ms / 1_000).toFixed(1)} s.`
          : '',
  };
}

export function size(bytes: number): string {
  const units = ['kB', 'MB', 'GB', 'TB'];
  let value = bytes / 1_000;
  let unit = 0;
  while (value >= 1_000 && unit < units.length - 1) {
    value /= 1_000;
    unit++;
  }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

export const checkDoctor = ({ date, findings }: Health['doctor']): Check => ({
  name: 'doctor',
  label: 'Last doctor run',
  status: findings.length > 0 ? 'bad' : 'good',
  value:
    date === null
      ? 'Never run'
      : findings.length > 0
        ? `${count(findings.length, 'check')} failed`
        : 'All checks passed',
  detail: '',
});
