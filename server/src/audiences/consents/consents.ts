/**
 * Consents. Entries are only added, so the state of a number at any time can be proved. Changes of the stop list are
 * entries too: a trigger adds them, regardless of the writer.
 */
import {
  type Consent,
  type ConsentState,
  type createConsent as CreateConsent,
  consentChanged,
} from '@parley/contract/audiences/consents.ts';
import { isPersonId, plainNumber } from '@parley/contract/audiences/people.ts';
import { CONSENT_PURPOSES } from '@parley/contract/audiences/purposes.ts';
import { CHANNELS } from '@parley/contract/channels/names.ts';
import { parseTimestamp } from '@parley/contract/common.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import { newId } from '../../kernel/clock.ts';
import { type Queryable, runTogether, type Tx } from '../../kernel/db/db.ts';
import { type Paged, paged, readPage } from '../../kernel/db/list.ts';
import { emit } from '../../kernel/live/events.ts';
import type { Actor } from '../../kernel/security/auth.ts';
import { requirePerson } from '../people/people.ts';
import { listAllNumbers } from '../people/queries.ts';
import * as queries from './queries.ts';

/** A number has consents even if it is no longer a person of the account. */
async function findNumbers(db: Queryable, actor: Actor, key: string): Promise<string[]> {
  const { account_id, number } = await findNumber(db, actor, key);
  return listAllNumbers(db, account_id, number);
}

async function findNumber(db: Queryable, { account_id }: Actor, key: string) {
  const number = isPersonId(key) ? (await requirePerson(db, account_id, key)).number : plainNumber(key);
  return { account_id, number };
}

export async function listConsents(
  db: Queryable,
  actor: Actor,
  key: string,
  query: Parameters<typeof readPage>[0],
): Promise<Paged<Consent>> {
  const numbers = await findNumbers(db, actor, key);
  const page = readPage(query);
  const [rows, total] = await runTogether(
    queries.listConsents(db, actor.account_id, numbers, page),
    queries.countConsents(db, actor.account_id, numbers),
  );
  return paged(page, rows, total);
}

export async function getConsentState(
  db: Queryable,
  actor: Actor,
  key: string,
  date: Date,
): Promise<{ number: string; date: string; states: ConsentState[] }> {
  const number = await findNumber(db, actor, key);
  const entries = await queries.listDecidingConsents(db, number, date);
  const states = CHANNELS.flatMap((channel) =>
    CONSENT_PURPOSES.map((purpose) => {
      const consent = latest(entries.filter((one) => matches(one.channel, channel) && matches(one.purpose, purpose)));
      return { channel, purpose, state: consent?.change ?? ('none' as const), consent };
    }),
  );
  return { number: number.number, date: date.toISOString().slice(0, 19).replace('T', ' '), states };
}

/** Null in an entry means all channels or all purposes. */
const matches = (own: string | null, asked: string): boolean => own === null || own === asked;

const latest = (entries: readonly Consent[]): Consent | null =>
  entries.reduce<Consent | null>(
    (last, one) =>
      last === null || one.create_date > last.create_date || (one.create_date === last.create_date && one.id > last.id)
        ? one
        : last,
    null,
  );

export async function createConsent(
  tx: Tx,
  actor: Actor,
  key: string,
  body: Parsed<typeof CreateConsent>['body'],
): Promise<Consent> {
  const { account_id, number } = await requirePerson(tx, actor.account_id, key);
  const date = body.date === undefined ? tx.now : parseTimestamp(body.date);
  if (date > tx.now) throw new Problem('CONSENT_DATE_INVALID');
  const id = newId();
  const { channel, purpose, change, text, source, address } = body;
  await queries.insertConsent(tx, {
    ...{ account_id, id, number, channel, purpose, change, text, source, address, date },
    ...{ method: actor.kind === 'key' ? 'api' : 'manual', sender_id: null, message_id: null, user_id: actor.user_id },
  });
  emit(tx, consentChanged, account_id, { id, number });
  return queries.findConsent(tx, account_id, id);
}

/** Stores a consent that another module has checked. */
export async function storeConsent(tx: Tx, row: Omit<queries.NewConsent, 'id'>): Promise<void> {
  const id = newId();
  await queries.insertConsent(tx, { ...row, id });
  emit(tx, consentChanged, row.account_id, { id, number: row.number });
}
