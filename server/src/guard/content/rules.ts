/** Operators create, change, and delete the content rules. Each change is in the audit log. */
import type { Parsed } from '@parley/contract/endpoint.ts';
import * as contract from '@parley/contract/guard/content_rules.ts';
import { Problem } from '@parley/contract/problem.ts';
import { newId } from '../../kernel/clock.ts';
import { type Queryable, raw, type Sql, sql, type Tx } from '../../kernel/db/db.ts';
import { CAP } from '../../kernel/db/list.ts';
import type { Ctx } from '../../kernel/http/endpoint.ts';
import { emit } from '../../kernel/live/events.ts';
import { record } from '../../kernel/security/audit.ts';
import { readDomain } from './hosts.ts';
import type { Rule } from './matcher.ts';
import { forgetContentRules } from './rule_book.ts';

const FIELDS = [
  ...['name', 'kind', 'action', 'enabled', 'countries', 'channels', 'account_ids', 'exempt_account_ids', 'links'],
  ...['domains', 'brands', 'words', 'exceptions', 'sender_days', 'links_per_hour'],
] as (keyof Omit<Rule, 'id'>)[];

const columns: Sql = raw(`r.id, ${FIELDS.map((field) => `r.${field}`).join(', ')}`);

const view = sql`
  ${columns}, r.create_date, r.update_date,
  coalesce((
    select json_agg(json_build_object('id', a.id, 'company_name', a.company_name) order by a.company_name)
    from accounts a where a.id = any(r.account_ids || r.exempt_account_ids)), '[]') as accounts,
  (select count(*)::int from (
    select 1 from message_reviews w where w.rule_id = r.id and w.state = 'waiting' limit ${CAP + 1}) w) as waiting`;

export const listRules = (db: Queryable): Promise<contract.ContentRule[]> =>
  db.rows<contract.ContentRule>(sql`select ${view} from content_rules r order by lower(r.name), r.id`);

const readRule = (db: Queryable, id: string): Promise<contract.ContentRule> =>
  db.one<contract.ContentRule>(sql`select ${view} from content_rules r where r.id = ${id}`);

const EMPTY: Omit<Rule, 'id' | 'name' | 'kind' | 'action'> = {
  ...{ enabled: true, countries: [], channels: [], account_ids: [], exempt_account_ids: [], links: null },
  ...{ domains: [], brands: [], words: [], exceptions: [], sender_days: null, links_per_hour: null },
};

type Body = Parsed<typeof contract.createContentRule>['body'];

const sortUnique = (values: readonly string[]): string[] => [...new Set(values)].sort();

/** Fills in the fields of the kind, empties all others, and checks the whole rule. */
export async function completeRule(db: Queryable, id: string, body: Partial<Body>): Promise<Rule> {
  const given = { ...EMPTY, ...definedIn(body) };
  const { kind, links, domains, brands, words, sender_days, links_per_hour, ...rest } = given as Rule;
  const rule: Rule = {
    ...rest,
    ...{ id, name: body.name ?? '', action: body.action ?? 'hold', kind },
    countries: sortUnique(rest.countries),
    channels: sortUnique(rest.channels),
    account_ids: sortUnique(rest.account_ids),
    exempt_account_ids: sortUnique(rest.exempt_account_ids),
    exceptions: sortUnique(rest.exceptions),
    links: kind === 'links' ? links : null,
    domains: kind === 'links' && links === 'domains' ? sortUnique(domains) : [],
    brands: kind === 'lookalikes' ? sortUnique(brands) : [],
    words: kind === 'words' ? sortUnique(words) : [],
    sender_days: kind === 'new_sender' ? sender_days : null,
    links_per_hour: kind === 'new_sender' ? links_per_hour : null,
  };
  requireTerms(rule);
  await requireAccounts(db, [...rule.account_ids, ...rule.exempt_account_ids]);
  return rule;
}

function requireTerms({ kind, links, domains, brands, words, sender_days, links_per_hour }: Rule): void {
  const missing = (field: string) => {
    throw new Problem('CONTENT_RULE_TERMS_INVALID', { field });
  };
  if (kind === 'links' && links === null)
    throw new Problem('CONTENT_RULE_INVALID', { field: 'links', message: 'Choose which links the rule looks for' });
  if (kind === 'links' && links === 'domains') {
    if (domains.length === 0) missing('domains');
    const bad = domains.find((domain) => readDomain(domain) === null);
    if (bad !== undefined)
      throw new Problem('CONTENT_RULE_TERMS_INVALID', { field: 'domains', message: `${bad} is not a domain` });
  }
  if (kind === 'lookalikes') {
    if (brands.length === 0) missing('brands');
    const short = brands.find((brand) => [...brand].length < 3 || /\s/.test(brand));
    if (short !== undefined)
      throw new Problem('CONTENT_RULE_TERMS_INVALID', {
        field: 'brands',
        message: 'A brand is one word with at least 3 characters',
      });
  }
  if (kind === 'words' && words.length === 0) missing('words');
  if (kind === 'words' && words.some((word) => !/[\p{L}\p{N}]/u.test(word)))
    throw new Problem('CONTENT_RULE_TERMS_INVALID', { field: 'words', message: 'A word contains letters or digits' });
  if (kind === 'new_sender' && (sender_days === null || links_per_hour === null))
    throw new Problem('CONTENT_RULE_INVALID', {
      field: sender_days === null ? 'sender_days' : 'links_per_hour',
      message: 'Enter how many days a sender counts as new, and how many messages with links it can send per hour',
    });
}

async function requireAccounts(db: Queryable, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const { count } = await db.one<{ count: number }>(
    sql`select count(*)::int as count from accounts where id = any(${ids}::uuid[])`,
  );
  if (count < new Set(ids).size) throw new Problem('ACCOUNT_NOT_FOUND', { field: 'account_ids' });
}

const assignments = (rule: Rule): Sql[] => FIELDS.map((field) => sql`${rule[field]}`);

export async function createRule(ctx: Ctx, body: Body): Promise<contract.ContentRule> {
  const { tx } = ctx;
  const rule = await completeRule(tx, newId(), body);
  await lockRules(tx);
  const { count } = await tx.one<{ count: number }>(sql`select count(*)::int as count from content_rules`);
  if (count >= contract.MAX_CONTENT_RULES) throw new Problem('CONTENT_RULES_LIMIT_EXCEEDED');
  await tx.run(sql`
    insert into content_rules (id, ${raw(FIELDS.join(', '))}, update_date)
    values (${rule.id}, ${joinAll(assignments(rule))}, clock_timestamp())`);
  announce(ctx, 'content_rule.created', rule, { ...rule });
  return readRule(tx, rule.id);
}

export async function updateRule(ctx: Ctx, id: string, body: Partial<Body>): Promise<contract.ContentRule> {
  const { tx } = ctx;
  const before = await lockRule(tx, id);
  const after = await completeRule(tx, id, { ...(before as Partial<Body>), ...definedIn(body) });
  const changed = FIELDS.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
  if (changed.length > 0) {
    await tx.run(sql`
      update content_rules set (${raw(FIELDS.join(', '))}, update_date)
        = row(${joinAll(assignments(after))}, clock_timestamp())
      where id = ${id}`);
    const detail = Object.fromEntries(changed.map((field) => [field, { from: before[field], to: after[field] }]));
    announce(ctx, 'content_rule.updated', after, detail);
  }
  return readRule(tx, id);
}

export async function removeRule(ctx: Ctx, id: string): Promise<void> {
  const rule = await lockRule(ctx.tx, id);
  await ctx.tx.run(sql`delete from content_rules where id = ${id}`);
  announce(ctx, 'content_rule.deleted', rule, { ...rule });
}

const definedIn = <T extends object>(body: T): Partial<T> =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as Partial<T>;

const joinAll = (parts: readonly Sql[]): Sql => parts.slice(1).reduce((all, part) => sql`${all}, ${part}`, parts[0]!);

const lockRules = (tx: Tx) => tx.run(sql`select pg_advisory_xact_lock(7311)`);

async function lockRule(tx: Tx, id: string): Promise<Rule> {
  const rule = await tx.maybeOne<Rule>(sql`select ${columns} from content_rules r where id = ${id} for update`);
  if (!rule) throw new Problem('CONTENT_RULE_NOT_FOUND');
  return rule;
}

function announce(ctx: Ctx, action: string, { id, name }: Rule, detail: Record<string, unknown>): void {
  const { tx, actor } = ctx;
  record(tx, ctx, { action, target: { type: 'content_rule', id, name }, detail });
  emit(tx, contract.contentRulesChanged, actor.account_id, { id });
  tx.afterCommit(() => forgetContentRules(tx.db));
}
