/** Bulk lookups of the numbers in a file or an audience, and what users do with their results. */
import { DEFAULT_CHANNEL } from '@parley/contract/channels/index.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import {
  type applyBulkLookup,
  type BulkLookup,
  bulkLookupChanged,
  type createBulkLookup,
  type listBulkLookups,
  MAX_BULK_NUMBERS,
  RESULT_TAGS,
} from '@parley/contract/lookups/lookups.ts';
import { type Need, needReason, permits } from '@parley/contract/permission.ts';
import { Problem } from '@parley/contract/problem.ts';
import { createAudienceFrom, selectPeople, stopNumbers, tagPeople } from '../audiences/audiences.ts';
import { closeHolds } from '../billing/billing.ts';
import { newId } from '../kernel/clock.ts';
import { type Queryable, runTogether, sql, type Tx } from '../kernel/db/db.ts';
import { type Paged, paged, readPage } from '../kernel/db/list.ts';
import type { Ctx } from '../kernel/http/endpoint.ts';
import { enqueue } from '../kernel/jobs/jobs.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { emit } from '../kernel/live/events.ts';
import type { Actor } from '../kernel/security/auth.ts';
import { type FileNumbers, readNumbers } from './file.ts';
import { insertNumbers } from './insert.ts';
import { lookupRun } from './jobs.ts';
import * as queries from './queries.ts';

const PORTION = 5_000;

export async function listBulks(
  db: Queryable,
  { account_id }: Actor,
  query: Parsed<typeof listBulkLookups>['query'],
): Promise<Paged<BulkLookup>> {
  const page = readPage(query);
  const [rows, total] = await runTogether(
    queries.listBulks(db, account_id, query.filter?.search, page),
    queries.countBulks(db, account_id, query.filter?.search),
  );
  return paged(page, rows, total);
}

export async function getBulk(
  db: Queryable,
  { account_id }: Pick<Actor, 'account_id'>,
  id: string,
): Promise<BulkLookup> {
  const row = await queries.findBulk(db, account_id, id);
  if (!row) throw new Problem('BULK_LOOKUP_NOT_FOUND');
  return row;
}

export async function createBulk(
  { kernel, actor, tx: db, upload }: Ctx,
  { audience }: Parsed<typeof createBulkLookup>['body'],
): Promise<BulkLookup> {
  const { account_id } = actor;
  if (audience !== undefined && upload) await kernel.storage.remove(upload.key);
  const source = audience === undefined ? await readFile({ kernel, actor, tx: db, upload } as Ctx) : null;
  return kernel.db.tx(async (tx) => {
    const numbers = source ?? (await readAudience(tx, account_id, audience!));
    const id = await insertBulk(tx, kernel, { account_id, audience_id: audience ?? null, ...numbers });
    return announceBulk(tx, account_id, id);
  });
}

interface NewBulk extends Source {
  account_id: string;
  audience_id: string | null;
}

/** Inserts a bulk lookup with its numbers, holds their price, and returns its ID. */
export async function insertBulk(
  tx: Tx,
  kernel: Kernel,
  { account_id, audience_id, name, numbers, invalid }: NewBulk,
): Promise<string> {
  const { currency } = await tx.one<{ currency: BulkLookup['currency'] }>(
    sql`select currency from accounts where id = ${account_id}`,
  );
  const id = newId();
  await queries.insertBulk(tx, { account_id, id, name, invalid, currency, total: numbers.length, audience_id });
  let pending = 0;
  for (let from = 0; from < numbers.length; from += PORTION) {
    const portion = numbers.slice(from, from + PORTION).map((row) => ({ ...row, id: newId() }));
    const inserted = await insertNumbers(tx, kernel, { account_id, bulk_id: id, refresh: false }, portion);
    pending += inserted.pending;
    if (inserted.known.length > 0) await countKnown(tx, account_id, id, inserted.known);
  }
  if (pending > 0) await enqueue(tx, lookupRun, { account_id, bulk_id: id, id: null });
  return id;
}

async function countKnown(tx: Tx, account_id: string, id: string, known: readonly queries.NewLookup[]): Promise<void> {
  const count = (status: string) => known.filter(({ result }) => result!.status === status).length;
  await queries.addToBulk(tx, account_id, id, {
    done: known.length,
    good: count('good'),
    bad: count('bad'),
    landline: count('landline'),
    unknown: count('unknown'),
    ported: known.filter(({ result }) => result!.ported).length,
    cost_micros: 0,
  });
}

async function announceBulk(tx: Tx, account_id: string, id: string): Promise<BulkLookup> {
  const bulk = await getBulk(tx, { account_id }, id);
  const { status, done, total } = bulk;
  emit(tx, bulkLookupChanged, account_id, { id, status, done, total });
  return bulk;
}

type Source = FileNumbers & { name: string };

async function readFile({ kernel, actor, tx: db, upload }: Ctx): Promise<Source> {
  if (!upload) throw new Problem('IMPORT_FILE_INVALID', { message: 'Choose a file or an audience' });
  try {
    const { country_code } = await db.one<{ country_code: string }>(
      sql`select country_code from accounts where id = ${actor.account_id}`,
    );
    const file = await kernel.storage.open(upload.key);
    const parts: Buffer[] = [];
    if (file) for await (const part of file.stream) parts.push(part as Buffer);
    return { ...(await readNumbers(Buffer.concat(parts), country_code)), name: upload.filename };
  } finally {
    await kernel.storage.remove(upload.key);
  }
}

async function readAudience(tx: Tx, account_id: string, id: string): Promise<Source> {
  const audience = await queries.findAudience(tx, account_id, id);
  if (!audience) throw new Problem('AUDIENCE_NOT_FOUND');
  const limit = MAX_BULK_NUMBERS + 1;
  const numbers = audience.conditions
    ? await queries.listMatchingNumbers(tx, await selectPeople(tx, account_id, audience.conditions, tx.now), limit)
    : await queries.listAudienceNumbers(tx, account_id, id, limit);
  if (numbers.length === 0) throw new Problem('IMPORT_FILE_INVALID', { message: 'The audience has no contacts' });
  if (numbers.length > MAX_BULK_NUMBERS) throw new Problem('IMPORT_ROWS_LIMIT_EXCEEDED');
  return { numbers, invalid: 0, name: audience.name };
}

export async function updateBulk(
  tx: Tx,
  actor: Actor,
  id: string,
  status: 'paused' | 'in_progress',
): Promise<BulkLookup> {
  const { account_id } = actor;
  const bulk = await queries.lockBulk(tx, account_id, id);
  if (!bulk) throw new Problem('BULK_LOOKUP_NOT_FOUND');
  if (bulk.status === 'completed') throw new Problem('BULK_LOOKUP_COMPLETED');
  if (bulk.status === status) return bulk;
  await queries.setBulkStatus(tx, account_id, id, status);
  if (status === 'in_progress') await enqueue(tx, lookupRun, { account_id, bulk_id: id, id: null });
  return announceBulk(tx, account_id, id);
}

/** Numbers that the provider already has must come back first, because they may still be charged. */
export async function removeBulk(tx: Tx, { account_id }: Actor, id: string): Promise<void> {
  const bulk = await queries.lockBulk(tx, account_id, id);
  if (!bulk) throw new Problem('BULK_LOOKUP_NOT_FOUND');
  if (await queries.hasSent(tx, account_id, id)) throw new Problem('LOOKUP_PENDING');
  const open = await queries.deleteBulk(tx, account_id, id);
  emit(tx, bulkLookupChanged, account_id, { id, status: 'completed', done: bulk.done, total: bulk.total });
  await closeHolds(tx, queries.toReleases(account_id, open));
}

type Action = Parsed<typeof applyBulkLookup>['body']['action'];

/** The permissions that an action requires in addition to the permission for lookups. */
const NEEDS: Readonly<Record<Action, Need>> = {
  create_audience: 'AUDIENCES:add',
  tag: 'AUDIENCES:edit',
  add_to_stop_list: 'SENDERS:edit',
  remove_from_audience: 'AUDIENCES:edit',
};

export async function applyBulk(
  tx: Tx,
  actor: Actor,
  id: string,
  { action, statuses, tags, name }: Parsed<typeof applyBulkLookup>['body'],
): Promise<{ count: number; audience_id: string | null }> {
  const { account_id, permissions } = actor;
  if (!permits(permissions, NEEDS[action]))
    throw new Problem('PERMISSION_REQUIRED', { message: needReason(NEEDS[action]) });
  const bulk = await getBulk(tx, actor, id);
  const rows = await queries.listBulkNumbers(tx, account_id, id, statuses);
  const numbers = rows.map(({ number }) => number);
  if (action === 'add_to_stop_list') return { count: await stopNumbers(tx, actor, numbers), audience_id: null };
  if (action === 'tag') {
    let count = 0;
    for (const [status, some] of Map.groupBy(rows, (row) => row.status)) {
      const own = tags.length > 0 ? tags : [RESULT_TAGS[status]];
      count += await tagPeople(
        tx,
        account_id,
        some.map(({ number }) => number),
        own,
      );
    }
    return { count, audience_id: null };
  }
  if (action === 'remove_from_audience') {
    if (bulk.audience_id === null) throw new Problem('AUDIENCE_NOT_FOUND');
    const count = await queries.removeContacts(tx, account_id, bulk.audience_id, numbers);
    return { count, audience_id: bulk.audience_id };
  }
  const details = { first_name: '', last_name: '', custom1: '', custom2: '' };
  async function* portions() {
    for (let from = 0; from < rows.length; from += PORTION)
      yield rows.slice(from, from + PORTION).map((row) => ({ ...row, ...details }));
  }
  const title = name || `${bulk.name.replace(/\.\w{2,5}$/, '').slice(0, 30)} looked up`;
  const audience = await createAudienceFrom(tx, { account_id, name: title, channel: DEFAULT_CHANNEL }, portions());
  return { count: rows.length, audience_id: audience?.id ?? null };
}
