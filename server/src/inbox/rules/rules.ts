/** The rules of the inbox: changes of them, and their test on earlier conversations. */
import { parseTimestamp } from '@parley/contract/common.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { canViewBucket, conversationBucket } from '@parley/contract/inbox/inbox.ts';
import * as contract from '@parley/contract/inbox/rules.ts';
import { Problem } from '@parley/contract/problem.ts';
import { newId } from '../../kernel/clock.ts';
import type { Queryable, Tx } from '../../kernel/db/db.ts';
import { emit } from '../../kernel/live/events.ts';
import type { Actor } from '../../kernel/security/auth.ts';
import { isAssignableUser } from '../assignment_queries.ts';
import { ASSIGNABLE } from '../assignments.ts';
import { listLabelRows } from '../label_queries.ts';
import { withLanguages } from './language.ts';
import { matches } from './matching.ts';
import * as queries from './rule_queries.ts';
import { listTeamRows } from './team_queries.ts';

const DAY_MS = 86_400_000;

export async function createRule(
  tx: Tx,
  { account_id }: Actor,
  body: Parsed<typeof contract.createRule>['body'],
): Promise<contract.InboxRule> {
  await queries.lockRules(tx, account_id);
  const rules = await queries.listRuleRows(tx, account_id);
  if (rules.length >= contract.RULES_MAX)
    throw new Problem('VALUE_INVALID', { message: `An account can have at most ${contract.RULES_MAX} rules` });
  const rule = { id: newId(), position: rules.length + 1, ...body };
  await requireTargets(tx, account_id, rule.actions);
  await queries.saveRule(tx, account_id, rule);
  emit(tx, contract.inboxRulesChanged, account_id, { id: rule.id });
  return rule;
}

/** When a rule moves to another position, the rules in between shift by one. */
export async function updateRule(
  tx: Tx,
  { account_id }: Actor,
  id: string,
  { position, ...body }: Parsed<typeof contract.updateRule>['body'],
): Promise<contract.InboxRule> {
  await queries.lockRules(tx, account_id);
  const rules = await queries.listRuleRows(tx, account_id);
  const before = rules.find((rule) => rule.id === id);
  if (!before) throw new Problem('INBOX_RULE_NOT_FOUND');
  const changed: contract.InboxRule = {
    ...before,
    name: body.name ?? before.name,
    enabled: body.enabled ?? before.enabled,
    conditions: body.conditions ?? before.conditions,
    actions: body.actions ?? before.actions,
  };
  if (body.actions) await requireTargets(tx, account_id, changed.actions);
  const others = rules.filter((rule) => rule.id !== id);
  const place = position === undefined ? rules.indexOf(before) : position - 1;
  const ordered = [...others.slice(0, place), changed, ...others.slice(place)];
  for (const [n, rule] of ordered.entries())
    if (rule === changed || rule.position !== n + 1)
      await queries.saveRule(tx, account_id, { ...rule, position: n + 1 });
  emit(tx, contract.inboxRulesChanged, account_id, { id });
  return { ...changed, position: ordered.indexOf(changed) + 1 };
}

export async function removeRule(tx: Tx, { account_id }: Actor, id: string): Promise<void> {
  await queries.lockRules(tx, account_id);
  if ((await queries.deleteRule(tx, account_id, id)) === 0) throw new Problem('INBOX_RULE_NOT_FOUND');
  emit(tx, contract.inboxRulesChanged, account_id, { id });
}

async function requireTargets(tx: Tx, account_id: string, { assign, label_ids }: contract.RuleActions): Promise<void> {
  const { user_id = null, team_id = null } = assign ?? {};
  if (user_id !== null && !(await isAssignableUser(tx, account_id, user_id, ASSIGNABLE)))
    throw new Problem('ASSIGNEE_NOT_FOUND');
  if (team_id !== null && !(await listTeamRows(tx, account_id)).some(({ id }) => id === team_id))
    throw new Problem('INBOX_TEAM_NOT_FOUND');
  const known = label_ids.length > 0 ? await listLabelRows(tx, account_id) : [];
  if (label_ids.some((id) => !known.some((label) => label.id === id))) throw new Problem('LABEL_NOT_FOUND');
}

/** The counts include conversations that the caller may not view; the rows do not. */
export async function testRule(
  db: Queryable,
  actor: Actor,
  conditions: contract.RuleConditions,
  now: Date,
): Promise<contract.RuleTest> {
  const { account_id, user_id, permissions } = actor;
  const since = new Date(now.getTime() - contract.TEST_DAYS * DAY_MS);
  const office = await queries.readOffice(db, account_id);
  const tested = await queries.listTestable(db, account_id, since, contract.TEST_CONVERSATIONS);
  const openings = await withLanguages([conditions], tested);
  const matched = openings.filter((opening) =>
    matches(conditions, { ...opening, at: parseTimestamp(opening.at) }, office),
  );
  const visible = matched.filter(({ assignee_id }) =>
    canViewBucket(conversationBucket(assignee_id, user_id), { user_id, permissions }),
  );
  return {
    conversations: tested.length,
    matched: matched.length,
    rows: visible
      .slice(0, contract.TEST_ROWS)
      .map(({ id, assignee_id, number, text, at }) => ({ conversation_id: id, assignee_id, number, text, date: at })),
  };
}
