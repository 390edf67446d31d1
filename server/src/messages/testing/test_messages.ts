/**
 * Test-key messages. The live gate runs completely, and then everything that it wrote is rolled back. The messages that
 * it returned are stored in their own table, where a job gives them their outcome (decision 80).
 */
import type { Parsed } from '@parley/contract/endpoint.ts';
import type { MessageDetail } from '@parley/contract/messages/details.ts';
import type { createMessage, LoggedMessage, listMessages, Message } from '@parley/contract/messages/messages.ts';
import { TEST_MESSAGE_DAYS, testMessageStatusChanged } from '@parley/contract/messages/test_messages.ts';
import { Problem } from '@parley/contract/problem.ts';
import { idAt } from '../../kernel/clock.ts';
import { type Db, type Queryable, runTogether, type Tx } from '../../kernel/db/db.ts';
import { CAP, type Paged, paged, readPage } from '../../kernel/db/list.ts';
import { undoAfter } from '../../kernel/db/undo.ts';
import { enqueue, job } from '../../kernel/jobs/jobs.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { emit } from '../../kernel/live/events.ts';
import type { Actor } from '../../kernel/security/auth.ts';
import { sendTime, sendUnapproved } from '../gate/send.ts';
import { timelineTime } from '../model/status_fold.ts';
import { toLogged } from '../thread/log.ts';
import { type Step, testSteps } from './outcomes.ts';
import * as queries from './test_queries.ts';

const BATCH = 5_000;

export const testOutcome = job<{ account_id: string; ids: string[] }>('messages.test_outcome', { concurrency: 2 });

export async function sendTestMessages(
  tx: Tx,
  kernel: Pick<Kernel, 'db' | 'config'>,
  actor: Actor,
  body: Parsed<typeof createMessage>['body'],
): Promise<Message[]> {
  if (body.test) throw new Problem('TEST_KEY_NOT_ALLOWED');
  return sendInTest(tx, actor, async (trial) => (await sendUnapproved(trial, kernel, actor, body)).messages, {
    payload: body.payload ?? null,
    schedule: sendTime(body, tx.now),
  });
}

/** Stores the messages that the work returns, and rolls back everything else. */
export async function sendInTest(
  tx: Tx,
  actor: Actor,
  work: (trial: Tx) => Promise<readonly Message[]>,
  { payload = null, schedule = null }: { payload?: string | null; schedule?: Date | null } = {},
): Promise<Message[]> {
  const accepted = await undoAfter(tx, work);
  return storeTestMessages(tx, { account_id: actor.account_id, key_id: actor.key_id!, payload, schedule }, accepted);
}

interface TestBatch {
  account_id: string;
  key_id: string;
  payload?: string | null;
  schedule?: Date | null;
  campaign_id?: string | null;
}

/** Stores messages of the gate as test messages, and plans their outcome. */
export async function storeTestMessages(
  tx: Tx,
  { account_id, key_id, payload = null, schedule = null, campaign_id = null }: TestBatch,
  accepted: readonly Message[],
): Promise<Message[]> {
  const messages = accepted.map(
    (message): Message => ({ ...message, campaign_id, conversation_id: null, charge: 'none', test: true }),
  );
  if (messages.length === 0) return messages;
  await queries.insertTestMessages(tx, messages, {
    key_id,
    payload,
    timeline: [{ at: timelineTime(tx.now), status: messages[0]!.status, source: 'gate' }],
  });
  const ids = messages.map(({ id }) => id);
  await enqueue(tx, testOutcome, { account_id, ids }, schedule ? { start_after: schedule } : {});
  return messages;
}

/** Runs as a job. A message that has ended is unchanged, so the job can run twice. */
export const endTestMessages = ({ db }: Kernel, { account_id, ids }: { account_id: string; ids: string[] }) =>
  db.tx(async (tx) => {
    for (const row of await queries.lockTestMessages(tx, account_id, ids))
      await apply(tx, row, testSteps(row.message.to, timelineTime(tx.now)));
  });

async function apply(tx: Tx, { message, payload }: queries.TestMessageRow, steps: readonly Step[]): Promise<void> {
  const fields = Object.assign({}, ...steps.map((step) => step.fields)) as Partial<Message>;
  const { account_id, id } = message;
  const status = steps.at(-1)!.status;
  await queries.updateTestMessage(
    tx,
    { account_id, id, status },
    { timeline: steps.map(({ entry }) => entry), fields },
  );
  const update_date = tx.now.toISOString().slice(0, 19).replace('T', ' ');
  for (const step of steps)
    emit(tx, testMessageStatusChanged, account_id, {
      ...{ ...message, ...step.fields, status: step.status, update_date, payload, test: true },
    });
}

export async function readTestLog(
  db: Queryable,
  { account_id }: Actor,
  query: Parsed<typeof listMessages>['query'],
): Promise<Paged<LoggedMessage>> {
  const page = readPage(query);
  const filter = query.filter ?? {};
  const exact = query.count === 'exact';
  const [rows, total] = await runTogether(
    queries.listTestMessageRows(db, account_id, filter, page),
    queries.countTestMessages(db, account_id, filter, exact ? null : CAP + 1),
  );
  return paged(page, rows.map(toTestLogged), total, ({ id }) => id, exact);
}

const toTestLogged = ({ message }: queries.TestMessageRow): LoggedMessage =>
  toLogged({
    ...message,
    verification_status: null,
    sender: { id: message.sender_id, name: null, code: message.from },
  });

export async function readTestMessage(db: Queryable, { account_id }: Actor, id: string): Promise<MessageDetail> {
  const row = await queries.findTestMessage(db, account_id, id);
  if (!row) throw new Problem('MESSAGE_NOT_FOUND');
  return {
    ...toTestLogged(row),
    timeline: row.timeline,
    payload: row.payload,
    ...{ expire_date: null, hold_id: null, campaign_name: null, sender_name: null, user_name: null },
    ...{ key_name: row.key_name, smpp_system_id: null, connection_name: null, volume: null, possible_duplicate: false },
    ...{ attempts: 0, external_ids: [] },
    ...{ contact: null, fallbacks: [], decisions: [], consent: null, clicks: [], replies: [] },
  };
}

/** Throws MESSAGE_CANCEL_NOT_ALLOWED unless the message is still scheduled. */
export async function cancelTestMessage(tx: Tx, { account_id }: Actor, id: string): Promise<void> {
  if (!(await queries.findTestMessage(tx, account_id, id))) throw new Problem('MESSAGE_NOT_FOUND');
  const [row] = await queries.lockTestMessages(tx, account_id, [id]);
  if (row?.message.status !== 'scheduled') throw new Problem('MESSAGE_CANCEL_NOT_ALLOWED');
  const entry = { at: timelineTime(tx.now), status: 'canceled' as const, source: 'person' };
  await apply(tx, row, [{ status: 'canceled', fields: {}, entry }]);
}

/** Deletes old messages account by account, from the start of each account's range of IDs. */
export async function pruneTestMessages(db: Db, signal: AbortSignal): Promise<void> {
  const before = idAt(db.clock.now().getTime() - TEST_MESSAGE_DAYS * 86_400_000);
  let account = await queries.nextAccount(db, null);
  while (account && !signal.aborted) {
    const { account_id } = account;
    if ((await queries.deleteTestMessages(db, account_id, before, BATCH)) < BATCH)
      account = await queries.nextAccount(db, account_id);
  }
}
