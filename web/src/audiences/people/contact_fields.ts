/** The account's own fields for contacts, as the screens need them. */
import { type ContactField, type FieldKind, listContactFields } from '@parley/contract/audiences/contact_fields.ts';
import { fieldText } from '@parley/contract/audiences/field_values.ts';
import type { Person } from '@parley/contract/audiences/people.ts';
import { ID_CHANNELS } from '@parley/contract/channels/person_ids.ts';
import { useEndpoint } from '../../kernel/http/query.ts';
import { useReason } from '../../kernel/session/session.tsx';

export const KIND_LABELS: Readonly<Record<FieldKind, string>> = {
  text: 'Text',
  number: 'Number',
  date: 'Date',
  boolean: 'Yes or no',
  choice: 'Choice',
};

const NONE: readonly ContactField[] = [];

/** The account's fields; none while they load and for users who may not view them. */
export function useContactFields(): readonly ContactField[] {
  const reason = useReason(listContactFields.needs);
  const query = useEndpoint(listContactFields, { query: { page_size: 100 } }, { enabled: reason === null });
  return query.data?.data ?? NONE;
}

/** The fields as variables for composers. */
export const fieldVariables = (fields: readonly ContactField[]) => fields.map(({ key, label }) => ({ key, label }));

export interface FactValues extends Record<string, unknown> {
  tags: string[];
  language: string;
  timezone: string;
  fields: Record<string, string | number>;
  channel_ids: Record<string, string>;
}

/** The values of a form for facts about a person. */
export const factValues = (
  fields: readonly ContactField[],
  facts: Partial<Pick<Person, 'tags' | 'language' | 'timezone' | 'fields' | 'channel_ids'>> = {},
): FactValues => ({
  tags: [...(facts.tags ?? [])],
  language: facts.language ?? '',
  timezone: facts.timezone ?? '',
  fields: Object.fromEntries(fields.map(({ key }) => [key, fieldText(facts.fields?.[key])])),
  channel_ids: Object.fromEntries(ID_CHANNELS.map((channel) => [channel, facts.channel_ids?.[channel] ?? ''])),
});

/** The facts of a form, for a call. An empty field loses its value. */
export const factBody = ({ tags, language, timezone, fields, channel_ids }: FactValues) => ({
  tags,
  language,
  timezone: timezone ?? '',
  fields: Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [key, value === '' || value === null ? null : String(value)]),
  ),
  channel_ids: Object.fromEntries(Object.entries(channel_ids).map(([channel, id]) => [channel, id.trim() || null])),
});
