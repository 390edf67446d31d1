/**
 * Compares statements of carriers with the costs in `margins`, by country over the days of a statement. A margin
 * belongs to the day on which its message was settled, so individual days could differ around midnight.
 */
import type * as contract from '@parley/contract/admin/carrier_statements.ts';
import {
  type CarrierLine,
  type CarrierStatement,
  carrierStatementsChanged,
} from '@parley/contract/admin/carrier_statements.ts';
import { CENT } from '@parley/contract/billing/amounts.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import { emitToOperators } from '../../accounts/accounts.ts';
import { newId } from '../../kernel/clock.ts';
import { type Queryable, runTogether, type Tx } from '../../kernel/db/db.ts';
import { type Paged, paged, readPage } from '../../kernel/db/list.ts';
import type { Ctx } from '../../kernel/http/endpoint.ts';
import { record } from '../../kernel/security/audit.ts';
import * as queries from './queries.ts';
import { readStatement } from './statement_file.ts';

export async function listStatements(
  db: Queryable,
  query: Parsed<typeof contract.listCarrierStatements>['query'],
): Promise<Paged<CarrierStatement>> {
  const page = readPage(query);
  const { connection_id } = query.filter ?? {};
  const [rows, total] = await runTogether(
    queries.listStatements(db, connection_id, page),
    queries.countStatements(db, connection_id),
  );
  return paged(page, rows, total);
}

export async function listLines(
  db: Queryable,
  query: Parsed<typeof contract.listCarrierLines>['query'],
): Promise<Paged<CarrierLine>> {
  const page = readPage(query);
  const filter = query.filter ?? {};
  const [rows, total] = await runTogether(queries.listLines(db, filter, page), queries.countLines(db, filter));
  return paged(page, rows, total);
}

export async function createStatement(
  ctx: Ctx,
  { connection_id, filename, currency, text }: Parsed<typeof contract.createCarrierStatement>['body'],
): Promise<CarrierStatement> {
  const { tx, actor } = ctx;
  const { from_day, until_day, countries } = readStatement(text);
  if (!(await queries.lockConnection(tx, connection_id))) throw new Problem('CONNECTION_NOT_FOUND');
  const key = { id: newId(), connection_id, currency, from_day, until_day };
  const other = await queries.findOverlap(tx, key);
  if (other) {
    const days = `${other.from_day} to ${other.until_day}`;
    throw new Problem('CARRIER_STATEMENT_OVERLAPS', {
      message: `"${other.filename}" already covers ${days}. Delete it to replace it.`,
    });
  }
  await queries.insertStatement(tx, key, filename, actor.user_id);
  await queries.insertLines(
    tx,
    key.id,
    [...countries].map(([country, charged]) => ({ id: newId(), country, ...charged })),
  );
  await compare(tx, key);
  record(tx, ctx, {
    action: 'carrier_statement.created',
    target: { type: 'carrier_statement', id: key.id, name: filename },
    detail: { connection_id, from_day, until_day, currency },
  });
  return (await queries.findStatement(tx, key.id))!;
}

/** Countries that only our side has become lines without a charge. */
async function compare(tx: Tx, key: queries.StatementKey): Promise<void> {
  const ours = await queries.listOurSide(tx, key);
  const lines = ours.map(({ country }) => ({ id: newId(), country, segments: 0, micros: 0 }));
  await queries.insertLines(tx, key.id, lines);
  await queries.compareLines(tx, key.id, ours, CENT);
  await queries.markCompared(tx, key.id);
  await emitToOperators(tx, carrierStatementsChanged, { id: key.id });
}

export async function compareStatement({ tx }: Ctx, id: string): Promise<CarrierStatement> {
  const key = await queries.lockStatement(tx, id);
  if (!key) throw new Problem('CARRIER_STATEMENT_NOT_FOUND');
  await compare(tx, key);
  return (await queries.findStatement(tx, id))!;
}

export async function deleteStatement(ctx: Ctx, id: string): Promise<void> {
  const { tx } = ctx;
  const found = await queries.lockStatement(tx, id);
  if (!found) throw new Problem('CARRIER_STATEMENT_NOT_FOUND');
  await queries.deleteStatement(tx, id);
  const { connection_id, from_day, until_day } = found;
  record(tx, ctx, {
    action: 'carrier_statement.deleted',
    target: { type: 'carrier_statement', id, name: found.filename },
    detail: { connection_id, from_day, until_day },
  });
  await emitToOperators(tx, carrierStatementsChanged, { id });
}

export async function resolveLine(ctx: Ctx, id: string, reason: string): Promise<CarrierLine> {
  const { tx, actor } = ctx;
  const found = await queries.findLine(tx, id);
  if (!found) throw new Problem('CARRIER_LINE_NOT_FOUND');
  if (!(await queries.resolveLine(tx, id, actor.user_id, reason))) throw new Problem('DIFFERENCE_CLOSED');
  const { statement_id, country, their_micros, our_micros, currency } = found;
  record(tx, ctx, {
    action: 'carrier_line.resolved',
    target: { type: 'carrier_line', id, name: country },
    detail: { statement_id, their_micros, our_micros, currency, reason },
  });
  await emitToOperators(tx, carrierStatementsChanged, { id: statement_id });
  return (await queries.findLine(tx, id))!;
}
