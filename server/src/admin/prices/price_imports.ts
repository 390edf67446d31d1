/**
 * Imports a price list in two steps. The preview stores the rows of the file and the price revision. Applying it writes
 * all changes in one transaction, and only if no price or network has changed since the preview, so that an operator
 * gets exactly the change that they saw ([decision 20](../../../../docs/decisions/0020-price-lists-are-previewed.md)).
 */
import {
  type createPriceImport as CreateEndpoint,
  type PriceDifference,
  type PriceImport,
  pricesChanged,
} from '@parley/contract/admin/prices.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import { emitToOperators } from '../../accounts/accounts.ts';
import { newId } from '../../kernel/clock.ts';
import { type Queryable, sql, type Tx } from '../../kernel/db/db.ts';
import type { Ctx } from '../../kernel/http/endpoint.ts';
import { record } from '../../kernel/security/audit.ts';
import { applyDuePlans } from './due_plans.ts';
import { type PriceList, type PriceRow, priceKey, readPriceList, readPriceSheet } from './price_file.ts';
import * as queries from './price_queries.ts';

const SHOWN_DIFFERENCES = 10;
const SHOWN_PROBLEMS = 20;

type Missing = PriceImport['missing'];
type Summary = Omit<PriceImport, 'id' | 'filename' | 'missing' | 'apply_date' | 'create_date'>;

export async function previewImport(
  ctx: Ctx,
  { filename, text, xlsx, missing }: Parsed<typeof CreateEndpoint>['body'],
): Promise<PriceImport> {
  const { tx, actor } = ctx;
  const { rows, problems } = await readFile(actor.account_id, { text, xlsx });
  const revision = await queries.readRevision(tx);
  const changes = await compare(tx, rows, missing);
  const codes = [...new Set(rows.flatMap(({ mccmnc }) => mccmnc ?? []))];
  const unknown = new Set(await queries.listUnknownNetworks(tx, codes));
  const changed = changes.filter(({ before_micros, after_micros }) => before_micros !== null && after_micros !== null);
  const added = changes.filter(({ before_micros }) => before_micros === null).length;
  const summary: Summary = {
    added,
    changed: changed.length,
    removed: changes.filter(({ after_micros }) => after_micros === null).length,
    unchanged: rows.length - added - changed.length,
    unknown_networks: rows.filter(({ mccmnc }) => mccmnc !== null && unknown.has(mccmnc)).length,
    differences: changed.toSorted((a, b) => factor(b) - factor(a)).slice(0, SHOWN_DIFFERENCES),
    invalid: problems.length,
    problems: problems.slice(0, SHOWN_PROBLEMS),
  };
  await queries.prunePreviews(tx);
  const id = newId();
  await tx.run(sql`
    insert into price_imports (id, user_id, filename, missing, rows, summary, revision, create_date)
    values (${id}, ${actor.user_id}, ${filename}, ${missing}, ${JSON.stringify(rows)}::jsonb,
            ${JSON.stringify(summary)}::jsonb, ${revision}, ${tx.now})`);
  return readImport(tx, id);
}

async function readFile(
  account_id: string,
  { text, xlsx }: Pick<Parsed<typeof CreateEndpoint>['body'], 'text' | 'xlsx'>,
): Promise<PriceList> {
  if ((text === undefined) === (xlsx === undefined))
    throw new Problem('PRICE_LIST_UNREADABLE', { message: 'Send the price list as text or as xlsx' });
  if (text !== undefined) return readPriceList(text);
  return readPriceSheet(Buffer.from(xlsx!, 'base64'), { account_id, verified: true });
}

/** The ratio of the higher price to the lower one. */
function factor({ before_micros, after_micros }: PriceDifference): number {
  const [low, high] = [before_micros!, after_micros!].toSorted((a, b) => a - b);
  return low === 0 ? Number.POSITIVE_INFINITY : high! / low!;
}

/** The changes that make the list prices match the file. */
async function compare(db: Queryable, rows: readonly PriceRow[], missing: Missing): Promise<PriceDifference[]> {
  const existing = new Map((await queries.listAllPrices(db, {})).map((row) => [priceKey(row), row]));
  const changes = rows.flatMap(({ price_micros, ...key }): PriceDifference[] => {
    const before = existing.get(priceKey(key))?.price_micros ?? null;
    return before === price_micros ? [] : [{ ...key, before_micros: before, after_micros: price_micros }];
  });
  if (missing === 'keep') return changes;
  const inFile = new Set(rows.map(priceKey));
  const scopes = new Set(rows.map(({ channel, currency }) => `${channel} ${currency}`));
  const removed = [...existing.values()]
    .filter((row) => scopes.has(`${row.channel} ${row.currency}`) && !inFile.has(priceKey(row)))
    .map(({ channel, country, mccmnc, purpose, currency, price_micros }): PriceDifference => {
      const key = { channel, country, mccmnc, purpose, currency };
      return { ...key, before_micros: price_micros, after_micros: null };
    });
  return [...changes, ...removed];
}

interface StoredImport {
  rows: PriceRow[];
  summary: Summary;
  missing: Missing;
  filename: string;
  revision: number;
  applied: boolean;
}

/**
 * Returns the changes of a previewed import, for a plan. Throws PRICE_IMPORT_NOT_FOUND if there is none or it was
 * applied, and PRICE_LIST_UNREADABLE if a line is invalid.
 */
export async function readChanges(tx: Tx, id: string): Promise<PriceDifference[]> {
  const stored = await tx.maybeOne<StoredImport>(sql`
    select rows, summary, missing, filename, revision, apply_date is not null as applied from price_imports
    where id = ${id}`);
  if (!stored || stored.applied) throw new Problem('PRICE_IMPORT_NOT_FOUND');
  requireValid(stored);
  return compare(tx, stored.rows, stored.missing);
}

function requireValid({ summary }: StoredImport): void {
  if (summary.invalid > 0)
    throw new Problem('PRICE_LIST_UNREADABLE', { message: 'Correct the invalid lines, then preview the file again' });
}

/** Throws PRICE_IMPORT_OUTDATED if a price or network has changed since the preview. */
export async function applyImport(ctx: Ctx, id: string): Promise<PriceImport> {
  const { tx, actor } = ctx;
  const stored = await tx.maybeOne<StoredImport>(sql`
    select rows, summary, missing, filename, revision, apply_date is not null as applied from price_imports
    where id = ${id} for update`);
  if (!stored) throw new Problem('PRICE_IMPORT_NOT_FOUND');
  if (stored.applied) return readImport(tx, id);
  requireValid(stored);
  await applyDuePlans(tx);
  if ((await queries.lockRevision(tx)) !== stored.revision) throw new Problem('PRICE_IMPORT_OUTDATED');
  const changes = await compare(tx, stored.rows, stored.missing);
  if (changes.length > 0) {
    await queries.announceChanges(tx, { user_id: actor.user_id!, import_id: id });
    await queries.writeChanges(tx, changes);
    await emitToOperators(tx, pricesChanged, { count: changes.length });
  }
  await tx.run(sql`update price_imports set apply_date = ${tx.now} where id = ${id}`);
  const { added, changed, removed } = stored.summary;
  record(tx, ctx, {
    action: 'prices.imported',
    target: { type: 'price_import', id, name: stored.filename },
    detail: { added, changed, removed },
  });
  return readImport(tx, id);
}

async function readImport(tx: Tx, id: string): Promise<PriceImport> {
  const { summary, ...row } = await tx.one<Omit<PriceImport, keyof Summary> & { summary: Summary }>(sql`
    select id, filename, missing, summary, apply_date, create_date from price_imports where id = ${id}`);
  return { ...row, ...summary, id };
}
