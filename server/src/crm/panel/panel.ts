/** The panel beside a deal or a person: its people, their messages, and sending. Messages go through the gate. */

import type * as contract from '@parley/contract/crm/pipedrive.ts';
import type {
  PanelCompany,
  PanelMessage,
  PanelPerson,
  PanelSender,
  PanelTemplate,
} from '@parley/contract/crm/pipedrive.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import type { Message } from '@parley/contract/messages/messages.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { Sender } from '@parley/contract/senders/senders.ts';
import { templatePlaceholders } from '@parley/contract/templates/rules.ts';
import { parseNumber } from '../../audiences/audiences.ts';
import { requireVisibleTo } from '../../inbox/inbox.ts';
import { type Queryable, sql, type Tx } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { Actor } from '../../kernel/security/auth.ts';
import { accept, composeMessage, threadRows } from '../../messages/messages.ts';
import { findSender, isUsable } from '../../senders/senders.ts';
import { listTemplates } from '../../templates/templates.ts';
import { callAs, toCallProblem } from '../access.ts';
import { provider } from '../apps.ts';
import { insertLogs } from '../logs.ts';
import type { CrmPerson } from '../providers/provider.ts';
import { findConnection } from '../queries.ts';
import { readPanelPerson } from './panel_access.ts';

const SHOWN_MESSAGES = 50;
const SHOWN_SENDERS = 300;
const SHOWN_TEMPLATES = 300;

export async function readCompany(db: Queryable, actor: Actor, id: string): Promise<PanelCompany> {
  const { provider: name, crm_user_id } = await readPanelPerson(db, actor);
  const row = await findConnection(db, actor.account_id, name);
  if (row?.company_id !== id) throw new Problem('CRM_NOT_CONNECTED');
  const names = await db.one<{ account_name: string; user_name: string; timezone: string }>(sql`
    select a.company_name as account_name, u.name as user_name, a.timezone
    from accounts a join crm_users u on u.account_id = a.id and u.provider = ${name} and u.id = ${crm_user_id}
    where a.id = ${actor.account_id}`);
  const { account_id, sender_id, logs_messages } = row;
  return { id, name: row.company_name, account_id, ...names, sender_id, logs_messages };
}

/** Members of a number pool send only through the pool, and the shared test sender only to the user's own phone. */
export const readSenders = (db: Queryable, { account_id }: Actor): Promise<PanelSender[]> =>
  db.rows<PanelSender>(sql`
    select s.id, s.name, s.code, s.channel from senders s
    where s.account_id = ${account_id} and s.status in ('approved', 'available') and s.delete_date is null
      and s.shared_from is null and not exists (
        select from number_pool_members k
        where k.account_id = s.account_id and k.sender_id = s.id and k.pool_id <> s.id)
    order by s.channel, lower(s.name), s.id limit ${SHOWN_SENDERS}`);

async function requireSender(db: Queryable, { account_id }: Actor, id: string): Promise<Sender> {
  const sender = await findSender(db, account_id, id);
  if (!sender || !isUsable(sender)) throw new Problem('MESSAGE_SENDER_NOT_FOUND');
  return sender;
}

export async function readTemplates(db: Queryable, actor: Actor, sender_id: string): Promise<PanelTemplate[]> {
  const { channel, code } = await requireSender(db, actor, sender_id);
  const filter = { channel, status: 'COMPLETED' as const };
  const { data } = await listTemplates(db, actor.account_id, { page_size: SHOWN_TEMPLATES, filter });
  return data
    .filter((one) => !one.paused && !one.disabled && (one.wa_sender_code === null || one.wa_sender_code === code))
    .map((one) => ({
      id: one.id,
      name: one.name,
      text: one.text,
      placeholders: templatePlaceholders(one).map(({ name, fallback }) => ({ name, fallback })),
    }));
}

export async function readPeople(
  kernel: Kernel,
  actor: Actor,
  { resource, id }: Parsed<typeof contract.listPipedrivePeople>['query'],
): Promise<PanelPerson[]> {
  const { account_id } = actor;
  const { provider: name, crm_user_id } = await readPanelPerson(kernel.db, actor);
  const call = callAs(kernel, { account_id, provider: name, id: crm_user_id });
  const crm = provider(name);
  const people = await (resource === 'deal'
    ? crm.dealPeople(call, id)
    : crm.person(call, id).then((person) => [person])
  ).catch(toCallProblem);
  return withNumbers(kernel.db, account_id, people, resource === 'deal' ? id : null);
}

async function withNumbers(
  db: Queryable,
  account_id: string,
  people: readonly CrmPerson[],
  deal_id: string | null,
): Promise<PanelPerson[]> {
  const { country_code } = await db.one<{ country_code: string }>(
    sql`select country_code from accounts where id = ${account_id}`,
  );
  const parsed = people.map((person) => ({
    id: person.id,
    name: person.name,
    deal_id,
    numbers: person.numbers.map(({ text, label }) => ({
      text,
      label,
      number: parseNumber(text, country_code)?.number ?? null,
    })),
  }));
  const all = parsed.flatMap(({ numbers }) => numbers.flatMap(({ number }) => number ?? []));
  const stopped = await db.rows<{ number: string }>(sql`
    select number from stop_list
    where account_id = ${account_id} and number = any(${all}::text[]) and sender_id is null`);
  const onList = new Set(stopped.map(({ number }) => number));
  return parsed.map((person) => ({
    ...person,
    numbers: person.numbers.map((one) => ({ ...one, stopped: one.number !== null && onList.has(one.number) })),
  }));
}

export async function readThread(
  db: Queryable,
  actor: Actor,
  { sender_id, number }: Parsed<typeof contract.listPipedriveMessages>['query'],
): Promise<PanelMessage[]> {
  const { provider: name } = await readPanelPerson(db, actor);
  const pair = { account_id: actor.account_id, sender_id, number };
  await requireSender(db, actor, sender_id);
  await requireVisibleTo(db, actor, pair);
  return db.rows<PanelMessage>(sql`
    select m.id, m.text, m.direction, m.status, to_char(m.create_date, 'YYYY-MM-DD HH24:MI:SS') as create_date,
      nullif(concat_ws(' ', u.first_name, u.last_name), '') as user_name,
      case when l.status <> 'skipped' then l.status = 'done' end as logged
    from (${threadRows(pair, null, SHOWN_MESSAGES)}) m
    left join users u on u.account_id = m.account_id and u.id = m.user_id
    left join crm_logs l on l.account_id = m.account_id and l.provider = ${name} and l.message_id = m.id
    order by m.id desc limit ${SHOWN_MESSAGES}`);
}

/** Sends through the gate. The log entry is part of the same transaction, so no message is sent without it. */
export async function sendMessage(
  tx: Tx,
  kernel: Kernel,
  actor: Actor,
  body: Parsed<typeof contract.sendPipedriveMessage>['body'],
): Promise<Message> {
  const { account_id, user_id } = actor;
  const { provider: name, crm_user_id } = await readPanelPerson(tx, actor);
  const sender = await requireSender(tx, actor, body.sender_id);
  const { text, template, variables } = body;
  const { accepted } = await accept(tx, kernel, {
    account_id,
    channel: sender.channel,
    from: sender.id,
    recipients: [{ to: body.to, text: '' }],
    compose: composeMessage(tx, account_id, sender.channel, { text, template, variables }),
    source: 'inbox',
    refusal: 'throw',
    user_id,
  });
  const message = accepted[0]!;
  await requireVisibleTo(tx, actor, { account_id, sender_id: sender.id, number: message.to });
  const deal_id = body.deal_id ?? null;
  await tx.run(sql`
    insert into crm_people (account_id, provider, number, person_id, deal_id)
    values (${account_id}, ${name}, ${message.to}, ${body.person_id}, ${deal_id})
    on conflict (account_id, provider, number) do update set person_id = excluded.person_id,
      deal_id = excluded.deal_id, check_date = now()`);
  const settings = await findConnection(tx, account_id, name);
  if (settings?.logs_messages)
    await insertLogs(tx, [
      { account_id, provider: name, message_id: message.id, person_id: body.person_id, deal_id, crm_user_id },
    ]);
  return message;
}
