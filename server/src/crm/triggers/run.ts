/**
 * Sends a message when a deal enters a stage. The message and the note that it was sent are stored in one transaction,
 * so each entry gets one message at most, whatever crashes or arrives twice. The gate and the stop list apply.
 */

import { fieldText } from '@parley/contract/audiences/field_values.ts';
import { Problem } from '@parley/contract/problem.ts';
import { templatePlaceholders } from '@parley/contract/templates/rules.ts';
import { findPerson, hasConsent, parseNumber } from '../../audiences/audiences.ts';
import { newId } from '../../kernel/clock.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { accept, composeMessage } from '../../messages/messages.ts';
import { findSender, isUsable } from '../../senders/senders.ts';
import { requireTemplate } from '../../templates/templates.ts';
import { provider } from '../apps.ts';
import { insertLogs } from '../logs.ts';
import type { Call, CrmDeal, CrmPerson } from '../providers/provider.ts';
import { findConnection } from '../queries.ts';
import { deleteChanges, nextChanges, type SyncRow, saveDealsSince } from '../sync/queries.ts';
import type { ActiveTrigger } from './queries.ts';
import * as queries from './queries.ts';

const BATCH = 100;
const OVERLAP_MS = 120_000;

/** First the deals that webhooks have reported, and then those that have changed since the last time. */
export async function sendForDeals(kernel: Kernel, row: SyncRow, call: Call, isTimeUp: () => boolean): Promise<void> {
  const triggers = await queries.listActiveTriggers(kernel.db, row);
  const crm = provider(row.provider);
  const handle = async (deals: readonly CrmDeal[]) => {
    for (const deal of deals)
      for (const trigger of triggers)
        if (trigger.stage_id === deal.stage_id && deal.entry_date.getTime() >= trigger.start_ms)
          await sendForDeal(kernel, trigger, deal, call);
  };
  for (;;) {
    const changes = await nextChanges(kernel.db, row, ['deal'], BATCH);
    if (changes.length === 0) break;
    await handle(await crm.deals(call, [...new Set(changes.map(({ key }) => key))]));
    await deleteChanges(
      kernel.db,
      row,
      changes.map(({ id }) => id),
    );
    if (isTimeUp()) return;
  }
  const start = kernel.clock.now().getTime();
  const since = new Date((row.deals_since_ms ?? start) - OVERLAP_MS);
  for (let cursor: string | null = null; ; ) {
    const page = await crm.dealPage(call, { cursor, since });
    await handle(page.rows);
    if (page.cursor === null) break;
    // The rest follows in the next run, which reads these pages again and finds them handled.
    if (isTimeUp()) return;
    cursor = page.cursor;
  }
  await saveDealsSince(kernel.db, row, new Date(start));
}

async function sendForDeal(kernel: Kernel, trigger: ActiveTrigger, deal: CrmDeal, call: Call): Promise<void> {
  const { account_id, provider: name, id: trigger_id } = trigger;
  const entry = trigger.reentry === 'once' ? 'once' : deal.entry_date.toISOString();
  const key = { account_id, provider: name, trigger_id, deal_id: deal.id, entry };
  if (await queries.hasRun(kernel.db, key)) return;
  const people = await provider(name).dealPeople(call, deal.id);
  const refuse = (number: string | null, error: string) =>
    kernel.db.tx(async (tx) => {
      await queries.insertRun(tx, { ...key, id: newId(), status: 'refused', number, error });
    });
  const { country_code } = await kernel.db.one<{ country_code: string }>(
    sql`select country_code from accounts where id = ${account_id}`,
  );
  const found = findRecipient(people, country_code);
  if (!found) return refuse(null, 'The deal has no person with a phone number.');
  try {
    await kernel.db.tx(async (tx) => {
      if (!(await queries.insertRun(tx, { ...key, id: newId(), status: 'sent', number: found.number, error: null })))
        return;
      const message_id = await send(tx, kernel, trigger, found);
      await queries.setMessage(tx, key, message_id);
      if ((await findConnection(tx, account_id, name))?.logs_messages)
        await insertLogs(tx, [
          {
            ...{ account_id, provider: name, message_id, crm_user_id: null },
            ...{ person_id: found.person.id, deal_id: deal.id },
          },
        ]);
    });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    await refuse(found.number, error.message);
  }
}

interface Recipient {
  person: CrmPerson;
  number: string;
}

function findRecipient(people: readonly CrmPerson[], country: string): Recipient | null {
  for (const person of people)
    for (const { text } of person.numbers) {
      const parsed = parseNumber(text, country);
      if (parsed) return { person, number: parsed.number };
    }
  return null;
}

/** Throws a Problem if the message may not be sent. */
async function send(tx: Tx, kernel: Kernel, trigger: ActiveTrigger, { person, number }: Recipient): Promise<string> {
  const { account_id, sender_id, template_id, purpose } = trigger;
  const sender = await findSender(tx, account_id, sender_id);
  if (!sender || !isUsable(sender)) throw new Problem('MESSAGE_SENDER_NOT_FOUND');
  const { channel } = sender;
  if (purpose === 'marketing' && !(await hasConsent(tx, account_id, channel, number)))
    throw new Problem('RECIPIENT_BLOCKED', { message: 'The person has not agreed to marketing on this channel.' });
  const template = await requireTemplate(tx, account_id, template_id, channel, sender);
  const values = await readValues(tx, account_id, person, number);
  const variables = templatePlaceholders(template).map(({ name }) => values[name] || null);
  const { accepted } = await accept(tx, kernel, {
    account_id,
    channel,
    from: sender.id,
    recipients: [{ to: number, text: '' }],
    compose: composeMessage(tx, account_id, channel, { template: template_id, variables }),
    source: 'api',
    refusal: 'throw',
  });
  return accepted[0]!.id;
}

/** The values of variables: Parley's data about the person, or else the name in the CRM. */
async function readValues(
  tx: Tx,
  account_id: string,
  { name }: CrmPerson,
  number: string,
): Promise<Readonly<Record<string, string>>> {
  const person = await findPerson(tx, account_id, number);
  const [first = '', ...rest] = name.split(' ');
  const own = Object.entries(person?.fields ?? {}).map(([key, value]) => [key, fieldText(value)]);
  return {
    ...Object.fromEntries(own),
    number,
    first_name: person?.first_name || first,
    last_name: person?.last_name || rest.join(' '),
    custom1: person?.custom1 ?? '',
    custom2: person?.custom2 ?? '',
  };
}
