/**
 * Logs messages as activities. A message is logged once: if a call got no response, the next attempt first looks for
 * the activity.
 */
import { CHANNEL_LABELS, type ChannelName } from '@parley/contract/channels/names.ts';
import { type CrmName, crmChanged } from '@parley/contract/crm/crm.ts';
import { type Brand, brandOrigin, readBrand } from '../kernel/brand/brand.ts';
import { type Queryable, sql, type Tx } from '../kernel/db/db.ts';
import { enqueue, job } from '../kernel/jobs/jobs.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { emit } from '../kernel/live/events.ts';
import { callAs } from './access.ts';
import { label, provider } from './apps.ts';
import { findPerson } from './people.ts';
import { type Call, CrmError, type LogEntry } from './providers/provider.ts';
import { findActiveUser, findConnection, setLastError } from './queries.ts';

interface LogJob {
  account_id: string;
  provider: CrmName;
  message_id: string;
}

const RETRIES = 10;
const USUAL_TYPE = 'task';

/** Logs the messages of an account one after the other, at the pace that the CRM allows. */
export const logJob = job<LogJob>('crm.log', {
  retry: RETRIES,
  retry_seconds: 10,
  concurrency: 2,
  expire_seconds: 120,
  group: ({ account_id, provider }) => `${account_id} ${provider}`,
});

export interface NewLog extends LogJob {
  person_id: string | null;
  deal_id: string | null;
  crm_user_id: string | null;
}

/** Leaves messages that are already in the log unchanged. */
export async function insertLogs(tx: Tx, logs: readonly NewLog[]): Promise<void> {
  const column = <T>(pick: (log: NewLog) => T): T[] => logs.map(pick);
  const added = await tx.rows<LogJob>(sql`
    insert into crm_logs (account_id, provider, message_id, person_id, deal_id, crm_user_id)
    select * from unnest(
      ${column((log) => log.account_id)}::uuid[], ${column((log) => log.provider)}::text[],
      ${column((log) => log.message_id)}::uuid[], ${column((log) => log.person_id)}::text[],
      ${column((log) => log.deal_id)}::text[], ${column((log) => log.crm_user_id)}::text[])
    on conflict (account_id, provider, message_id) do nothing
    returning account_id, provider, message_id`);
  for (const log of added) await enqueue(tx, logJob, log);
}

/** Returns the number of messages that are logged again. */
export async function retryFailed(tx: Tx, account_id: string, name: CrmName): Promise<number> {
  const rows = await tx.rows<LogJob>(sql`
    update crm_logs set status = 'pending', error = null, update_date = ${tx.now}
    where account_id = ${account_id} and provider = ${name} and status = 'failed'
      and create_date > now() - interval '30 days'
    returning account_id, provider, message_id`);
  for (const row of rows) await enqueue(tx, logJob, row);
  if (rows.length > 0) await setLastError(tx, account_id, name, null);
  return rows.length;
}

interface LogRow extends NewLog {
  status: string;
  text: string;
  direction: 'MT' | 'MO';
  channel: ChannelName;
  sender: string;
  number: string;
  at_ms: number;
  country: string;
}

const readLog = (db: Queryable, { account_id, provider, message_id }: LogJob) =>
  db.maybeOne<LogRow>(sql`
    select l.account_id, l.provider, l.message_id, l.crm_user_id, l.status, m.text, m.direction, m.channel,
      coalesce(s.name, '') as sender, m.number, (extract(epoch from m.create_date) * 1000)::float8 as at_ms,
      a.country_code as country, coalesce(l.person_id, p.person_id) as person_id,
      coalesce(l.deal_id, p.deal_id) as deal_id
    from crm_logs l
    join messages m on m.account_id = l.account_id and m.id = l.message_id
    join accounts a on a.id = l.account_id
    left join senders s on s.account_id = m.account_id and s.id = m.sender_id
    left join crm_people p on p.account_id = l.account_id and p.provider = l.provider and p.number = m.number
    where l.account_id = ${account_id} and l.provider = ${provider} and l.message_id = ${message_id}`);

export async function logMessage(kernel: Kernel, data: LogJob): Promise<void> {
  const { account_id, provider: name } = data;
  const row = await readLog(kernel.db, data);
  const settings = await findConnection(kernel.db, account_id, name);
  if (!row || !settings || !['pending', 'submitting'].includes(row.status)) return;
  const user = await findActiveUser(kernel.db, account_id, name, row.crm_user_id);
  if (!user) return finish(kernel, data, 'failed', { error: `No user is connected to ${label(name)}.` });
  const call = callAs(kernel, { account_id, provider: name, id: user.id });
  try {
    const person_id = row.person_id ?? (await findPerson(kernel, call, row));
    if (person_id === null) return await finish(kernel, data, 'skipped', {});
    const entry = toEntry(kernel, await readBrand(kernel.db, row.account_id), row, {
      person_id,
      crm_user_id: user.id,
      activity_type: settings.activity_type ?? USUAL_TYPE,
    });
    const activity_id = await submit(kernel, call, data, row.status, entry);
    await finish(kernel, data, 'done', { activity_id });
  } catch (error) {
    if (!(error instanceof CrmError)) throw error;
    await setLastError(kernel.db, account_id, name, describe(name, error));
    // Retried with backoff. The person may also connect again in the meantime.
    if (error.fault === 'busy') throw error;
    await finish(kernel, data, 'failed', { error: describe(name, error) });
    kernel.log.warn({ err: error, crm: name, account_id }, 'a message cannot be logged');
  }
}

const describe = (name: CrmName, { fault }: CrmError): string =>
  ({
    busy: `${label(name)} did not respond. Waiting messages will be logged later.`,
    signed_out: `${label(name)} no longer accepts the connection. Connect again.`,
    missing: `The person or the deal no longer exists in ${label(name)}.`,
    refused: `${label(name)} refused the activity.`,
  })[fault];

/** Marks the entry first, so that a crash during the call cannot create a second activity. */
async function submit(kernel: Kernel, call: Call, data: LogJob, status: string, entry: LogEntry): Promise<string> {
  const crm = provider(data.provider);
  const found = status === 'submitting' ? await crm.findLog(call, entry) : null;
  if (found) return found;
  await kernel.db.run(sql`
    update crm_logs set status = 'submitting', update_date = ${kernel.clock.now()}
    where account_id = ${data.account_id} and provider = ${data.provider} and message_id = ${data.message_id}`);
  return crm.log(call, entry);
}

function toEntry(
  { config }: Kernel,
  brand: Brand,
  row: LogRow,
  more: Pick<LogEntry, 'person_id' | 'crm_user_id' | 'activity_type'>,
): LogEntry {
  return {
    ...row,
    ...more,
    channel_label: CHANNEL_LABELS[row.channel],
    create_date: new Date(row.at_ms),
    link: `${brandOrigin(config, brand)}/insights?message=${row.message_id}`,
    app_name: brand.name,
  };
}

async function finish(
  kernel: Kernel,
  { account_id, provider: name, message_id }: LogJob,
  status: 'done' | 'skipped' | 'failed',
  { activity_id = null, error = null }: { activity_id?: string | null; error?: string | null },
): Promise<void> {
  await kernel.db.tx(async (tx) => {
    await tx.run(sql`
      update crm_logs set status = ${status}, activity_id = ${activity_id}, error = ${error}, update_date = ${tx.now}
      where account_id = ${account_id} and provider = ${name} and message_id = ${message_id}`);
    if (status === 'failed') await setLastError(tx, account_id, name, error);
    else if (status === 'done') await setLastError(tx, account_id, name, null);
    emit(tx, crmChanged, account_id, { provider: name });
  });
}
