/**
 * The people that match the conditions of a dynamic audience. Conditions are checked when they are saved, and become
 * SQL whenever they are evaluated.
 */
import {
  type Condition,
  type ConditionGroup,
  findSubject,
  isComplete,
  isGroup,
  listConditions,
  subjectField,
} from '@parley/contract/audiences/conditions.ts';
import type { ContactField } from '@parley/contract/audiences/contact_fields.ts';
import { Problem } from '@parley/contract/problem.ts';
import { join, type Queryable, raw, runTogether, type Sql, sql, type Tx } from '../../kernel/db/db.ts';
import { runList } from '../../kernel/http/account_slots.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { Actor } from '../../kernel/security/auth.ts';
import { listFields, lockFields } from '../people/field_queries.ts';
import { fieldOperators, type Scene, SUBJECT_OPERATORS } from './expressions.ts';

type Fields = ReadonlyMap<string, ContactField>;

/** The table of the audiences that conditions can name. */
type AudienceTable = 'audiences' | 'test_audiences';

/** Throws the problem of the first condition that names a field or an audience that cannot be used. */
async function checkConditions(
  db: Queryable,
  account_id: string,
  root: ConditionGroup,
  table: AudienceTable,
): Promise<Fields> {
  const conditions = listConditions(root);
  const fields = new Map((await listFields(db, account_id)).map((field) => [field.key, field]));
  for (const condition of conditions) {
    const key = subjectField(condition.subject);
    if (key === null) continue;
    const field = fields.get(key);
    if (!field)
      throw new Problem('CONTACT_FIELD_NOT_FOUND', { field: 'conditions', message: `Field not found: ${key}` });
    if (!isComplete(condition, field)) throw new Problem('CONDITION_INVALID');
  }
  const ids = [...new Set(conditions.flatMap(audienceIds))];
  if (ids.length > 0) {
    const { count } = await db.one<{ count: number }>(sql`
      select count(*) from ${raw(table)}
      where account_id = ${account_id} and id = any(${ids}::uuid[]) and conditions is null`);
    if (count < ids.length) throw new Problem('CONDITION_AUDIENCE_INVALID');
  }
  return fields;
}

const audienceIds = ({ subject, value }: Condition): string[] =>
  subject === 'audiences' ? (value as string[]).map((id) => id.toLowerCase()) : [];

/**
 * Checks conditions that will be saved. The fields and audiences that they use cannot be deleted until the transaction
 * ends, and afterwards their deletion is refused.
 */
export async function requireConditions(
  tx: Tx,
  account_id: string,
  root: ConditionGroup,
  table: AudienceTable = 'audiences',
): Promise<void> {
  await lockFields(tx, account_id);
  const ids = listConditions(root).flatMap(audienceIds);
  await tx.run(sql`
    select from ${raw(table)} where account_id = ${account_id} and id = any(${ids}::uuid[]) order by id for key share`);
  await checkConditions(tx, account_id, root, table);
}

/** Whether the conditions of a dynamic audience use an audience. */
export const isUsedInConditions = async (
  db: Queryable,
  account_id: string,
  id: string,
  table: AudienceTable = 'audiences',
): Promise<boolean> =>
  (await db.maybeOne(sql`
    select 1 from ${raw(table)}
    where account_id = ${account_id} and conditions is not null
      and strpos(lower(conditions::text), ${id.toLowerCase()}) > 0 limit 1`)) !== null;

/** Returns a condition on `people p` that is true for the people who match. */
export async function selectPeople(
  db: Queryable,
  account_id: string,
  root: ConditionGroup,
  now: Date,
  table: AudienceTable = 'audiences',
): Promise<Sql> {
  const [fields, { timezone }] = await runTogether(
    checkConditions(db, account_id, root, table),
    db.one<{ timezone: string }>(sql`select timezone from accounts where id = ${account_id}`),
  );
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: timezone, dateStyle: 'short' }).format(now);
  return sql`p.account_id = ${account_id} and ${toSql(root, { account_id, now, timezone, today }, fields)}`;
}

function toSql(node: Condition | ConditionGroup, scene: Scene, fields: Fields): Sql {
  if (isGroup(node)) {
    const parts = node.conditions.map((part) => toSql(part, scene, fields));
    return sql`(${join(parts, node.match === 'all' ? ' and ' : ' or ')})`;
  }
  const field = fields.get(subjectField(node.subject) ?? '');
  const operators = field
    ? fieldOperators(field.key, field.kind)
    : SUBJECT_OPERATORS[node.subject as keyof typeof SUBJECT_OPERATORS];
  if (!findSubject(node.subject, field) || !operators?.[node.operator]) throw new Problem('CONDITION_INVALID');
  return operators[node.operator]!({ value: node.value, channel: node.channel ?? null }, scene);
}

const EXACT_MS = 600;
const SAMPLE_MS = 1_500;
const SAMPLE = 4_000;
const CANCELED = '57014';

/**
 * Counts the people who match. A count that takes longer than EXACT_MS is replaced by an estimate from people who are
 * drawn by the hash of their IDs, so the answer takes less than a second for any number of people.
 */
export async function countPeople(
  kernel: Kernel,
  actor: Actor,
  root: ConditionGroup,
): Promise<{ count: number; is_estimate: boolean }> {
  const where = await selectPeople(kernel.db, actor.account_id, root, kernel.clock.now());
  const limited = <R>(ms: number, read: (tx: Tx) => Promise<R>) =>
    runList(kernel, actor, async (tx) => {
      await tx.run(sql`select set_config('statement_timeout', ${String(ms)}, true)`);
      return read(tx);
    });
  try {
    const { count } = await limited(EXACT_MS, (tx) =>
      tx.one<{ count: number }>(sql`select count(*) from people p where ${where}`),
    );
    return { count, is_estimate: false };
  } catch (error) {
    if ((error as { code?: string }).code !== CANCELED) throw error;
  }
  return limited(SAMPLE_MS, (tx) => estimateCount(tx, actor.account_id, where));
}

/**
 * The hashes of all people are spread evenly over 32 bits, so the largest hash among the smallest ones indicates the
 * number of people.
 */
export async function estimateCount(
  db: Queryable,
  account_id: string,
  where: Sql,
  sample = SAMPLE,
): Promise<{ count: number; is_estimate: boolean }> {
  const { drawn, matching, last } = await db.one<{ drawn: number; matching: number; last: number | null }>(sql`
    select count(*) as drawn, count(*) filter (where ${where}) as matching, max(uuid_hash(p.id)) as last
    from (
      select * from people where account_id = ${account_id} order by uuid_hash(id) limit ${sample}
    ) p`);
  if (drawn < sample || last === null) return { count: matching, is_estimate: false };
  const people = ((drawn - 1) * 2 ** 32) / (last + 2 ** 31);
  const rounded = Number(((matching / drawn) * people).toPrecision(2));
  return { count: rounded, is_estimate: true };
}
