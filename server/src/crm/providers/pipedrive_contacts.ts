/** People and deals of Pipedrive for the contact sync, and its webhooks (version 2). */
import { createHash, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import {
  type CrmContact,
  type CrmDeal,
  CrmError,
  type CrmPerson,
  type CrmProvider,
  type FieldDefinition,
  type PersonDeal,
  readValue,
  writeValue,
} from './provider.ts';

const PAGE = 100;
const HOOK_USER = 'parley';
/** The types of fields that hold one value. */
const TYPES = ['varchar', 'varchar_auto', 'text', 'double', 'date', 'enum'];

export const id = z.union([z.number(), z.string()]).transform(String);
/** Reads `data` of a response. */
export const readData = <T extends z.ZodType>(schema: T, body: unknown): z.output<T> =>
  schema.parse((body as { data?: unknown } | null)?.data);

const Item = z.object({ value: z.string(), label: z.string().nullish(), primary: z.boolean().nullish() });
export const Person = z.object({ id, name: z.string().nullish(), phones: z.array(Item).nullish() });
const Contact = Person.extend({
  first_name: z.string().nullish(),
  last_name: z.string().nullish(),
  emails: z.array(Item).nullish(),
  update_time: z.string().nullish(),
  is_deleted: z.boolean().nullish(),
  custom_fields: z.record(z.string(), z.unknown()).nullish(),
});
const Field = z.object({
  field_code: z.string(),
  field_name: z.string(),
  field_type: z.string(),
  is_custom_field: z.boolean().nullish(),
  options: z.array(z.object({ id, label: z.string() })).nullish(),
});
const Deal = z.object({
  id,
  stage_id: id,
  stage_change_time: z.string().nullish(),
  add_time: z.string().nullish(),
  is_deleted: z.boolean().nullish(),
});
const DealFacts = z.object({
  id,
  title: z.string().nullish(),
  stage_id: id,
  status: z.string().nullish(),
  value: z.number().nullish(),
  currency: z.string().nullish(),
  is_deleted: z.boolean().nullish(),
});
const Stage = z.object({ id, name: z.string(), pipeline_id: id });
const Pipeline = z.object({ id, name: z.string() });
const More = z.object({ additional_data: z.object({ next_cursor: z.string().nullish() }).nullish() });
const Hook = z.object({
  meta: z.object({ entity: z.string(), entity_id: id, company_id: id }),
});

const byPrimary = <T extends { primary?: boolean | null | undefined }>(items: readonly T[] | null | undefined): T[] =>
  [...(items ?? [])].sort((a, b) => Number(b.primary ?? false) - Number(a.primary ?? false));

export const toPerson = ({ id, name, phones }: z.output<typeof Person>): CrmPerson => ({
  id,
  name: name ?? '',
  numbers: byPrimary(phones).flatMap(({ value, label }) =>
    value.trim() === '' ? [] : [{ text: value, label: label ?? '' }],
  ),
});

const readDate = (text: string | null | undefined): Date | null => {
  const date = new Date(text ?? '');
  return Number.isNaN(date.getTime()) ? null : date;
};

function toContact(fields: readonly FieldDefinition[], person: z.output<typeof Contact>): CrmContact {
  const own: Record<string, unknown> = {
    name: person.name,
    first_name: person.first_name,
    last_name: person.last_name,
    email: byPrimary(person.emails)[0]?.value,
    ...person.custom_fields,
  };
  // A change of the first name needs the last name too, even if only one of them is mapped.
  const names = BUILT_IN.filter(({ key }) => !fields.some((field) => field.key === key));
  const values = [...fields, ...names].flatMap((field) => {
    const text = readValue(field, own[field.key]);
    return text === '' ? [] : [[field.key, text] as const];
  });
  return { ...toPerson(person), values: Object.fromEntries(values), update_date: readDate(person.update_time) };
}

const toDeal = ({ id, stage_id, stage_change_time, add_time }: z.output<typeof Deal>): CrmDeal[] => {
  const entry_date = readDate(stage_change_time) ?? readDate(add_time);
  return entry_date ? [{ id, stage_id, entry_date }] : [];
};

const toPersonDeal = ({ title, status, value, currency, ...deal }: z.output<typeof DealFacts>): PersonDeal => ({
  id: deal.id,
  stage_id: deal.stage_id,
  name: title ?? '',
  state: status === 'won' || status === 'lost' ? status : 'open',
  value: value ?? null,
  currency: currency ?? null,
});

const BUILT_IN: FieldDefinition[] = [
  { key: 'first_name', label: 'First name', choices: [], is_writable: true },
  { key: 'last_name', label: 'Last name', choices: [], is_writable: true },
  { key: 'email', label: 'Email', choices: [], is_writable: false },
];

/** RFC 3339 without milliseconds. */
const stamp = (date: Date): string => date.toISOString().replace(/\.\d+Z$/, 'Z');

function pageQuery({ cursor, since }: { cursor: string | null; since: Date | null }): URLSearchParams {
  const query = new URLSearchParams({ limit: String(PAGE), sort_direction: 'asc' });
  query.set('sort_by', since ? 'update_time' : 'id');
  if (since) query.set('updated_since', stamp(since));
  if (cursor) query.set('cursor', cursor);
  return query;
}

const nextCursor = (body: unknown): string | null => More.parse(body).additional_data?.next_cursor ?? null;

/** Pipedrive stores the name in one piece, and derives the first and the last name from it. */
function toBody(
  fields: readonly FieldDefinition[],
  values: Readonly<Record<string, string>>,
  before: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const { first_name, last_name, ...own } = values;
  const names = [first_name ?? before.first_name, last_name ?? before.last_name].filter(Boolean);
  const custom = Object.entries(own).map(([key, text]) => {
    const field = fields.find((one) => one.key === key);
    if (!field?.is_writable) throw new CrmError('refused', `The field ${key} cannot be changed in the CRM`);
    return [key, toStored(field, text)];
  });
  return {
    ...(first_name !== undefined || last_name !== undefined ? { name: names.join(' ') } : {}),
    ...(custom.length > 0 ? { custom_fields: Object.fromEntries(custom) } : {}),
  };
}

function toStored(field: FieldDefinition, text: string): string | number | null {
  const value = writeValue(field, text);
  return field.choices.length > 0 && value !== null ? Number(value) : value;
}

const hash = (text: string): Buffer => createHash('sha256').update(text).digest();

export const contactPort: Pick<
  CrmProvider,
  | ('hooks' | 'fields' | 'contactPage' | 'contacts' | 'createContact' | 'updateContact')
  | ('stages' | 'dealPage' | 'deals' | 'personDeals' | 'homeCurrency')
> = {
  hooks: {
    read(_app, { headers, body }, password) {
      const expected = `Basic ${Buffer.from(`${HOOK_USER}:${password}`).toString('base64')}`;
      if (!timingSafeEqual(hash(String(headers.authorization ?? '')), hash(expected))) return null;
      const { entity, entity_id, company_id } = Hook.parse(JSON.parse(body.toString('utf8'))).meta;
      const kind = entity === 'person' ? 'record' : entity === 'deal' ? 'deal' : null;
      return kind ? [{ company_id, kind, key: entity_id }] : [];
    },
    async subscribe(call, { url, password }) {
      const ids: string[] = [];
      for (const event_object of ['person', 'deal']) {
        const added = await call('POST', '/api/v1/webhooks', {
          subscription_url: url,
          event_action: '*',
          event_object,
          version: '2.0',
          http_auth_user: HOOK_USER,
          http_auth_password: password,
        });
        ids.push(readData(z.object({ id }), added).id);
      }
      return ids;
    },
    unsubscribe: async (call, hook) => {
      await call('DELETE', `/api/v1/webhooks/${hook}`);
    },
  },
  async fields(call) {
    const all: FieldDefinition[] = [...BUILT_IN];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query = new URLSearchParams({ limit: '500', ...(cursor ? { cursor } : {}) });
      const body = await call('GET', `/api/v2/personFields?${query}`);
      for (const field of readData(z.array(Field).nullable(), body) ?? [])
        if (field.is_custom_field && TYPES.includes(field.field_type))
          all.push({
            key: field.field_code,
            label: field.field_name,
            choices: field.options ?? [],
            is_writable: true,
          });
      cursor = nextCursor(body);
    }
    return all;
  },
  async contactPage(call, fields, request) {
    const body = await call('GET', `/api/v2/persons?${pageQuery(request)}`);
    const people = readData(z.array(Contact).nullable(), body) ?? [];
    const rows = people.filter(({ is_deleted }) => !is_deleted).map((person) => toContact(fields, person));
    return { rows, cursor: nextCursor(body) };
  },
  async contacts(call, fields, ids) {
    if (ids.length === 0) return [];
    const query = new URLSearchParams({ ids: ids.slice(0, PAGE).join(','), limit: String(PAGE) });
    const people = readData(z.array(Contact).nullable(), await call('GET', `/api/v2/persons?${query}`)) ?? [];
    return people.filter(({ is_deleted }) => !is_deleted).map((person) => toContact(fields, person));
  },
  async createContact(call, fields, { number, values }) {
    const { name = `+${number}`, ...rest } = toBody(fields, values, {});
    const phones = [{ value: `+${number}`, label: 'mobile', primary: true }];
    const body = await call('POST', '/api/v2/persons', { ...rest, name: name || `+${number}`, phones });
    return toContact(fields, readData(Contact, body));
  },
  async updateContact(call, fields, contact, values) {
    const { name, ...rest } = toBody(fields, values, contact.values);
    // A person must have a name.
    const body = await call('PATCH', `/api/v2/persons/${contact.id}`, { ...rest, ...(name ? { name } : {}) });
    return toContact(fields, readData(Contact, body));
  },
  async stages(call) {
    const pipelines = readData(z.array(Pipeline).nullable(), await call('GET', '/api/v2/pipelines?limit=500')) ?? [];
    const stages = readData(z.array(Stage).nullable(), await call('GET', '/api/v2/stages?limit=500')) ?? [];
    return stages.map(({ id, name, pipeline_id }) => ({
      id,
      name,
      pipeline: pipelines.find((one) => one.id === pipeline_id)?.name ?? '',
    }));
  },
  async dealPage(call, request) {
    const body = await call('GET', `/api/v2/deals?${pageQuery(request)}`);
    const deals = readData(z.array(Deal).nullable(), body) ?? [];
    return { rows: deals.filter(({ is_deleted }) => !is_deleted).flatMap(toDeal), cursor: nextCursor(body) };
  },
  async deals(call, ids) {
    if (ids.length === 0) return [];
    const query = new URLSearchParams({ ids: ids.slice(0, PAGE).join(','), limit: String(PAGE) });
    const deals = readData(z.array(Deal).nullable(), await call('GET', `/api/v2/deals?${query}`)) ?? [];
    return deals.filter(({ is_deleted }) => !is_deleted).flatMap(toDeal);
  },
  async personDeals(call, person_id) {
    const query = new URLSearchParams({ person_id, status: 'open,won,lost', limit: String(PAGE) });
    query.set('sort_by', 'update_time');
    query.set('sort_direction', 'desc');
    const deals = readData(z.array(DealFacts).nullable(), await call('GET', `/api/v2/deals?${query}`)) ?? [];
    return deals.filter(({ is_deleted }) => !is_deleted).map(toPersonDeal);
  },
  // Each deal has its currency.
  homeCurrency: async () => null,
};
