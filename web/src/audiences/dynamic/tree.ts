/** Changes to a tree of conditions, and its words. A path is the place of a node, such as [1, 0]. */
import {
  CONDITION_SUBJECTS,
  type Condition,
  type ConditionGroup,
  type ConditionKind,
  type ConditionNode,
  fieldSubject,
  findSubject,
  isComplete,
  isGroup,
  listOperators,
  subjectField,
  type Takes,
} from '@parley/contract/audiences/conditions.ts';
import type { ContactField } from '@parley/contract/audiences/contact_fields.ts';
import { CHANNEL_LABELS, type ChannelName, DEFAULT_CHANNEL } from '@parley/contract/channels/names.ts';
import { formatCount, formatNumber } from '../../ui/data/format.ts';
import { countryName } from '../numbers.ts';

export type Fields = readonly ContactField[];

/** A condition that the user has not filled in yet. */
export const newCondition = (): Condition => ({ subject: 'tags', operator: 'has_any', value: [] });

export const findField = (subject: string, fields: Fields): ContactField | undefined => {
  const key = subjectField(subject);
  return key === null ? undefined : fields.find((field) => field.key === key);
};

/** The subjects in groups, for a select. */
export function subjectOptions(fields: Fields) {
  const groups = new Map<string, { value: string; label: string }[]>();
  for (const [value, { label, group }] of Object.entries(CONDITION_SUBJECTS))
    groups.set(group, [...(groups.get(group) ?? []), { value, label }]);
  if (fields.length > 0)
    groups.set(
      'Your fields',
      fields.map(({ key, label }) => ({ value: fieldSubject(key), label })),
    );
  return [...groups].map(([group, items]) => ({ group, items }));
}

const EMPTY: Readonly<Record<Takes, Condition['value']>> = {
  nothing: null,
  text: '',
  texts: [],
  number: '',
  date: '',
  days: 30,
  purpose: 'marketing',
};

/** Chooses another subject, with its first operator. */
export function withSubject(subject: string, fields: Fields): Condition {
  const found = findSubject(subject, findField(subject, fields));
  if (!found) return newCondition();
  const [operator] = Object.keys(listOperators(found.kind));
  const condition: Condition = { subject, operator: operator ?? '' };
  if (found.channel === 'required') condition.channel = DEFAULT_CHANNEL;
  return withOperator(condition, condition.operator, fields, true);
}

/** Chooses another operator. The value stays if the new operator takes the same. */
export function withOperator(condition: Condition, operator: string, fields: Fields, isNew = false): Condition {
  const takes = findTakes({ ...condition, operator }, fields);
  if (!isNew && takes === findTakes(condition, fields)) return { ...condition, operator };
  return { ...condition, operator, value: takes ? EMPTY[takes] : null };
}

export function findKind(condition: Condition, fields: Fields): ConditionKind | null {
  return findSubject(condition.subject, findField(condition.subject, fields))?.kind ?? null;
}

export function findTakes(condition: Condition, fields: Fields): Takes | null {
  const kind = findKind(condition, fields);
  return kind ? (listOperators(kind)[condition.operator]?.takes ?? null) : null;
}

/** Whether all conditions can be evaluated. */
export const isWhole = (node: ConditionNode, fields: Fields): boolean =>
  isGroup(node)
    ? node.conditions.length > 0 && node.conditions.every((part) => isWhole(part, fields))
    : isComplete(node, findField(node.subject, fields));

/** Replaces the node at a path, or removes it. */
export function replaceNode(root: ConditionGroup, path: readonly number[], node: ConditionNode | null): ConditionGroup {
  const [index, ...rest] = path;
  if (index === undefined) return node && isGroup(node) ? node : root;
  const current = root.conditions[index];
  const changed =
    rest.length === 0 ? node : current && isGroup(current) ? replaceNode(current, rest, node) : (current ?? null);
  const conditions = root.conditions.flatMap((old, at) => (at === index ? (changed ? [changed] : []) : [old]));
  return { ...root, conditions };
}

/** A condition in words, such as "Country is one of Germany, France". */
export function describe(
  condition: Condition,
  fields: Fields,
  audienceNames: ReadonlyMap<string, string> = new Map(),
): string {
  const subject = findSubject(condition.subject, findField(condition.subject, fields));
  if (!subject) return 'A field that no longer exists';
  const chosen = listOperators(subject.kind)[condition.operator];
  const channel = condition.channel ? ` by ${CHANNEL_LABELS[condition.channel as ChannelName]}` : '';
  const value = valueText(condition, chosen?.takes ?? 'nothing', audienceNames);
  return [`${subject.label}${channel}`, chosen?.label ?? '', value].filter(Boolean).join(' ');
}

function valueText({ subject, value }: Condition, takes: Takes, audienceNames: ReadonlyMap<string, string>): string {
  if (takes === 'nothing') return '';
  if (takes === 'days') return formatCount(Number(value), 'day');
  if (takes === 'number') return formatNumber(Number(value));
  if (!Array.isArray(value)) return String(value ?? '');
  const words = value.map((one) => {
    if (subject === 'country') return countryName(one);
    return subject === 'audiences' ? (audienceNames.get(one) ?? 'an audience') : one;
  });
  return words.join(', ');
}
