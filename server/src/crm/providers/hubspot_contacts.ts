/** Contacts and deals of HubSpot for the contact sync. */
import { z } from 'zod';
import {
  type Call,
  type CrmContact,
  type CrmDeal,
  CrmError,
  type CrmProvider,
  type FieldDefinition,
  type Page,
  type PageRequest,
  type PersonDeal,
  readValue,
  writeValue,
} from './provider.ts';

const PAGE = 100;
/** A search returns at most this many results. */
const MAX_RESULTS = 10_000;
/** In this order: the number that is most likely a mobile phone comes first. */
const NUMBERS = { mobilephone: 'mobile', phone: 'phone' } as const;
const NAMES_AND_NUMBERS = ['firstname', 'lastname', 'lastmodifieddate', ...Object.keys(NUMBERS)];
const TYPES = ['string', 'number', 'date', 'bool', 'enumeration'];
/** A field with several values. */
const MULTIPLE = ['checkbox'];
/** The order of deals, and the facts that users see. */
const DEAL_FACTS = [
  ...['dealname', 'dealstage', 'amount', 'deal_currency_code'],
  ...['hs_is_closed', 'hs_is_closed_won', 'hs_lastmodifieddate'],
];
const ENTERED = 'hs_v2_date_entered_current_stage';

export const id = z.union([z.number(), z.string()]).transform(String);
const Contact = z.object({
  id,
  properties: z.record(z.string(), z.string().nullish()),
  updatedAt: z.string().nullish(),
  archived: z.boolean().nullish(),
});
const Found = z.object({
  results: z.array(Contact),
  paging: z.object({ next: z.object({ after: id }).nullish() }).nullish(),
});
const Properties = z.object({
  results: z.array(
    z.object({
      name: z.string(),
      label: z.string(),
      type: z.string(),
      fieldType: z.string(),
      hidden: z.boolean().nullish(),
      options: z.array(z.object({ label: z.string(), value: z.string() })).nullish(),
      modificationMetadata: z.object({ readOnlyValue: z.boolean().nullish() }).nullish(),
    }),
  ),
});
const WithDeals = z.object({
  associations: z.object({ deals: z.object({ results: z.array(z.object({ id })) }).optional() }).optional(),
});
const Company = z.object({ companyCurrency: z.string().nullish() });
const Pipelines = z.object({
  results: z.array(z.object({ label: z.string(), stages: z.array(z.object({ id, label: z.string() })) })),
});

const readDate = (text: string | null | undefined): Date | null => {
  const date = new Date(text ?? '');
  return Number.isNaN(date.getTime()) ? null : date;
};

function toContact(fields: readonly FieldDefinition[], row: z.output<typeof Contact>): CrmContact {
  const { id, properties, updatedAt } = row;
  const values = fields.flatMap((field) => {
    const text = readValue(field, properties[field.key]);
    return text === '' ? [] : [[field.key, text] as const];
  });
  return {
    id,
    name: [properties.firstname, properties.lastname].filter(Boolean).join(' '),
    numbers: Object.entries(NUMBERS).flatMap(([key, label]) => {
      const text = properties[key]?.trim();
      return text ? [{ text, label }] : [];
    }),
    values: Object.fromEntries(values),
    update_date: readDate(properties.lastmodifieddate) ?? readDate(updatedAt),
  };
}

const listProperties = (fields: readonly FieldDefinition[]): string[] => [
  ...new Set([...NAMES_AND_NUMBERS, ...fields.map(({ key }) => key)]),
];

async function readContacts(
  call: Call,
  fields: readonly FieldDefinition[],
  ids: readonly string[],
): Promise<CrmContact[]> {
  const inputs = [...new Set(ids)].slice(0, PAGE).map((one) => ({ id: one }));
  if (inputs.length === 0) return [];
  const body = await call('POST', '/crm/v3/objects/contacts/batch/read', {
    properties: listProperties(fields),
    inputs,
  });
  const { results } = Found.parse(body);
  // A contact that was merged is returned as the other one.
  return results.filter((row) => !row.archived && ids.includes(row.id)).map((row) => toContact(fields, row));
}

export const readPeople = (call: Call, ids: readonly string[]): Promise<CrmContact[]> => readContacts(call, [], ids);

function toProperties(
  fields: readonly FieldDefinition[],
  values: Readonly<Record<string, string>>,
): Record<string, string> {
  const pairs = Object.entries(values).map(([key, text]) => {
    const field = fields.find((one) => one.key === key);
    if (!field?.is_writable) throw new CrmError('refused', `The field ${key} cannot be changed in the CRM`);
    return [key, writeValue(field, text) ?? ''];
  });
  return Object.fromEntries(pairs);
}

/**
 * Searches by the time of the last change. A search is limited, so it starts again at the last result when it reaches
 * the limit. The cursor contains the time and the place after it.
 */
async function searchChanged(
  call: Call,
  object: 'contacts' | 'deals',
  { cursor, since }: { cursor: string | null; since: Date },
  properties: readonly string[],
): Promise<Page<z.output<typeof Contact>>> {
  const changed = object === 'contacts' ? 'lastmodifieddate' : 'hs_lastmodifieddate';
  const [from = String(since.getTime()), after = ''] = cursor?.split(':') ?? [];
  const body = await call('POST', `/crm/v3/objects/${object}/search`, {
    filterGroups: [{ filters: [{ propertyName: changed, operator: 'GTE', value: from }] }],
    sorts: [{ propertyName: changed, direction: 'ASCENDING' }],
    properties: [...new Set([...properties, changed])],
    limit: PAGE,
    ...(after ? { after } : {}),
  });
  const { results, paging } = Found.parse(body);
  const next = paging?.next?.after;
  if (!next) return { rows: results, cursor: null };
  const last = readDate(results.at(-1)?.properties[changed])?.getTime();
  const restarts = Number(next) + PAGE > MAX_RESULTS && last !== undefined && String(last) !== from;
  return { rows: results, cursor: restarts ? `${last}:` : `${from}:${next}` };
}

async function listAll(
  call: Call,
  object: 'contacts' | 'deals',
  cursor: string | null,
  properties: readonly string[],
): Promise<Page<z.output<typeof Contact>>> {
  const query = new URLSearchParams({ limit: String(PAGE), properties: properties.join(',') });
  if (cursor) query.set('after', cursor);
  const { results, paging } = Found.parse(await call('GET', `/crm/v3/objects/${object}?${query}`));
  return { rows: results, cursor: paging?.next?.after ?? null };
}

const readPage = (
  call: Call,
  object: 'contacts' | 'deals',
  { cursor, since }: PageRequest,
  properties: readonly string[],
): Promise<Page<z.output<typeof Contact>>> =>
  since ? searchChanged(call, object, { cursor, since }, properties) : listAll(call, object, cursor, properties);

const DEAL = ['dealstage', ENTERED, 'createdate'];
const toDeal = ({ id, properties, archived }: z.output<typeof Contact>): CrmDeal[] => {
  const entry_date = readDate(properties[ENTERED]) ?? readDate(properties.createdate);
  return properties.dealstage && entry_date && !archived ? [{ id, stage_id: properties.dealstage, entry_date }] : [];
};

function toPersonDeal({ id, properties }: z.output<typeof Contact>): PersonDeal {
  const amount = Number.parseFloat(properties.amount ?? '');
  const isWon = properties.hs_is_closed_won === 'true';
  const isClosed = properties.hs_is_closed === 'true';
  return {
    id,
    name: properties.dealname ?? '',
    stage_id: properties.dealstage ?? '',
    state: isWon ? 'won' : isClosed ? 'lost' : 'open',
    value: Number.isFinite(amount) ? amount : null,
    currency: properties.deal_currency_code || null,
  };
}

export const hubspotContacts: Pick<
  CrmProvider,
  | ('fields' | 'contactPage' | 'contacts' | 'createContact' | 'updateContact')
  | ('stages' | 'dealPage' | 'deals' | 'personDeals' | 'homeCurrency')
> = {
  async fields(call) {
    const { results } = Properties.parse(await call('GET', '/crm/v3/properties/contacts'));
    return results
      .filter(({ name, type, fieldType, hidden }) => {
        const isShown = !hidden && TYPES.includes(type) && !MULTIPLE.includes(fieldType);
        return isShown && !Object.hasOwn(NUMBERS, name) && !name.startsWith('hs_searchable_');
      })
      .map(({ name, label, options, modificationMetadata }) => ({
        key: name,
        label,
        choices: (options ?? []).map((option) => ({ id: option.value, label: option.label })),
        is_writable: !modificationMetadata?.readOnlyValue,
      }));
  },
  async contactPage(call, fields, request) {
    const { rows, cursor } = await readPage(call, 'contacts', request, listProperties(fields));
    return { rows: rows.filter(({ archived }) => !archived).map((row) => toContact(fields, row)), cursor };
  },
  contacts: readContacts,
  async createContact(call, fields, { number, values }) {
    const properties = { mobilephone: `+${number}`, ...toProperties(fields, values) };
    const added = Contact.parse(await call('POST', '/crm/v3/objects/contacts', { properties }));
    return toContact(fields, { ...added, properties: { ...properties, ...added.properties } });
  },
  async updateContact(call, fields, contact, values) {
    const properties = toProperties(fields, values);
    const path = `/crm/v3/objects/contacts/${encodeURIComponent(contact.id)}`;
    const { properties: stored } = Contact.parse(await call('PATCH', path, { properties }));
    const changed = toContact(fields, { id: contact.id, properties: { ...properties, ...stored } }).values;
    const sent = Object.keys(values).map((key) => [key, changed[key] ?? '']);
    return { ...contact, values: { ...contact.values, ...Object.fromEntries(sent) } };
  },
  async stages(call) {
    const { results } = Pipelines.parse(await call('GET', '/crm/v3/pipelines/deals'));
    return results.flatMap(({ label, stages }) =>
      stages.map((stage) => ({ id: stage.id, name: stage.label, pipeline: label })),
    );
  },
  async dealPage(call, request) {
    const { rows, cursor } = await readPage(call, 'deals', request, DEAL);
    return { rows: rows.flatMap(toDeal), cursor };
  },
  async deals(call, ids) {
    if (ids.length === 0) return [];
    const inputs = [...new Set(ids)].slice(0, PAGE).map((one) => ({ id: one }));
    const body = await call('POST', '/crm/v3/objects/deals/batch/read', { properties: DEAL, inputs });
    return Found.parse(body).results.flatMap(toDeal);
  },
  async personDeals(call, person_id) {
    const path = `/crm/v3/objects/contacts/${encodeURIComponent(person_id)}?associations=deals`;
    const associated = WithDeals.parse(await call('GET', path)).associations?.deals?.results ?? [];
    // A deal is listed once for each kind of association.
    const inputs = [...new Set(associated.map((one) => one.id))].slice(0, PAGE).map((one) => ({ id: one }));
    if (inputs.length === 0) return [];
    const body = await call('POST', '/crm/v3/objects/deals/batch/read', { properties: DEAL_FACTS, inputs });
    const changed = (row: z.output<typeof Contact>) => readDate(row.properties.hs_lastmodifieddate)?.getTime() ?? 0;
    return Found.parse(body)
      .results.filter(({ archived }) => !archived)
      .toSorted((a, b) => changed(b) - changed(a))
      .map(toPersonDeal);
  },
  homeCurrency: async (call) => Company.parse(await call('GET', '/account-info/v3/details')).companyCurrency ?? null,
};
