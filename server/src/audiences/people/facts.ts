/** Checks and stores the facts about a person in every audience: tags, fields, language, and time zone. */
import { type FieldValue, fieldHint, readFieldValue } from '@parley/contract/audiences/field_values.ts';
import { MAX_TAGS } from '@parley/contract/audiences/limits.ts';
import type { Person } from '@parley/contract/audiences/people.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { Queryable, Tx } from '../../kernel/db/db.ts';
import { listFields } from './field_queries.ts';
import * as queries from './queries.ts';

export interface FactInput {
  tags?: readonly string[] | undefined;
  fields?: Readonly<Record<string, FieldValue | null>> | undefined;
  language?: string | undefined;
  timezone?: string | undefined;
}

export interface Facts {
  tags: readonly string[] | null;
  /** The values to set. */
  set: Record<string, FieldValue>;
  /** The keys to remove. */
  removed: string[];
  language: string | null;
  timezone: string | null;
}

/** Throws the problem of the first unknown field or invalid value. `path` is the place of the input in the request. */
export async function readFacts(db: Queryable, account_id: string, input: FactInput, path = ''): Promise<Facts> {
  const { tags = null, fields = {}, language = null, timezone = null } = input;
  const facts: Facts = { tags, set: {}, removed: [], language, timezone };
  const given = Object.entries(fields);
  if (given.length === 0) return facts;
  const definitions = new Map((await listFields(db, account_id)).map((field) => [field.key, field]));
  for (const [key, value] of given) {
    const field = `${path}fields.${key}`;
    const definition = definitions.get(key);
    if (!definition) throw new Problem('CONTACT_FIELD_NOT_FOUND', { field, message: `Field not found: ${key}` });
    if (value === null || (typeof value === 'string' && value.trim() === '')) {
      facts.removed.push(key);
      continue;
    }
    const read = readFieldValue(definition, value);
    if (read === undefined)
      throw new Problem('CONTACT_FIELD_VALUE_INVALID', {
        field,
        message: `${definition.label} must be ${fieldHint(definition)}`,
      });
    facts.set[key] = read;
  }
  return facts;
}

export const hasFacts = ({ tags, set, removed, language, timezone }: Facts): boolean =>
  tags !== null || Object.keys(set).length > 0 || removed.length > 0 || language !== null || timezone !== null;

/** Stores facts about a person. With `add`, the tags are added to those of the person. */
export async function writeFacts(
  tx: Tx,
  person: Pick<Person, 'account_id' | 'id'>,
  facts: Facts,
  mode: 'add' | 'replace',
): Promise<void> {
  if (!hasFacts(facts)) return;
  const current = await queries.lockPerson(tx, person.account_id, person.id);
  if (!current) throw new Problem('PERSON_NOT_FOUND');
  const tags = facts.tags === null ? current.tags : mode === 'add' ? addTags(current.tags, facts.tags) : facts.tags;
  if (tags.length > MAX_TAGS) throw new Problem('TAGS_LIMIT_EXCEEDED');
  const fields = { ...current.fields, ...facts.set };
  for (const key of facts.removed) delete fields[key];
  await queries.updateFacts(tx, {
    ...current,
    tags: [...tags],
    fields,
    language: facts.language ?? current.language,
    timezone: facts.timezone ?? current.timezone,
  });
}

/** Adds tags in order and skips duplicates, ignoring case. */
export function addTags(before: readonly string[], added: readonly string[]): string[] {
  const known = new Set(before.map((tag) => tag.toLowerCase()));
  return [...before, ...added.filter((tag) => !known.has(tag.toLowerCase()))];
}
