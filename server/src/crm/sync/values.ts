/** The values that a sync compares: fields, consents, and the opt-out, of the CRM and of Parley, as texts. */
import type { ContactField } from '@parley/contract/audiences/contact_fields.ts';
import { fieldHint, fieldText, readFieldValue } from '@parley/contract/audiences/field_values.ts';
import { MAX_CONTACT_TEXT } from '@parley/contract/audiences/limits.ts';
import { factFields } from '@parley/contract/audiences/person_facts.ts';
import type { CrmConsentMap, CrmFieldMap, CrmOptOutMap, CrmSyncSettings } from '@parley/contract/crm/sync.ts';
import { type Queryable, sql } from '../../kernel/db/db.ts';
import type { FieldDefinition } from '../providers/provider.ts';
import type { Pair, Slot } from './merge.ts';

export type Maps = Pick<CrmSyncSettings, 'fields' | 'consents' | 'opt_out'>;

/** The data that Parley has about a number. */
export interface PersonState {
  readonly number: string;
  readonly country: string;
  readonly name: string;
  readonly is_member: boolean;
  readonly values: Readonly<Record<string, string>>;
  readonly update_ms: number;
  readonly is_stopped: boolean;
  /** True if only the CRM has stopped the number. */
  readonly is_stopped_by_crm: boolean;
  /** For each consent in the map: the person's last decision. */
  readonly consents: readonly { readonly change: string | null; readonly is_from_crm: boolean }[];
}

interface StateRow {
  number: string;
  first_name: string;
  last_name: string;
  custom1: string;
  custom2: string;
  language: string;
  timezone: string;
  fields: Record<string, unknown>;
  update_ms: number;
  is_member: boolean;
  is_stopped: boolean;
  is_stopped_by_crm: boolean;
}

/** The sources of consents, and the texts of opt-outs, that come from the CRM. */
export const crmSource = (label: string): string => `Contact sync with ${label}`;
export const crmStopText = (label: string): string => `Opted out in ${label}`;

interface StateRequest {
  account_id: string;
  audience_id: string;
  maps: Maps;
  label: string;
}

/** Reads the state of numbers. A number that Parley does not know has empty values. */
export async function readStates(
  db: Queryable,
  { account_id, audience_id, maps, label }: StateRequest,
  numbers: readonly { number: string; country: string }[],
): Promise<Map<string, PersonState>> {
  const keys = numbers.map(({ number }) => number);
  const rows = await db.rows<StateRow>(sql`
    select n.number, coalesce(p.first_name, '') as first_name, coalesce(p.last_name, '') as last_name,
      coalesce(p.custom1, '') as custom1, coalesce(p.custom2, '') as custom2, coalesce(p.language, '') as language,
      coalesce(p.timezone, '') as timezone, coalesce(p.fields, '{}') as fields,
      coalesce(extract(epoch from p.update_date) * 1000, 0)::float8 as update_ms,
      exists (select from contacts c where c.account_id = ${account_id} and c.audience_id = ${audience_id}
        and c.number = n.number) as is_member,
      exists (select from stop_list s where s.account_id = ${account_id} and s.number = n.number) as is_stopped,
      not exists (select from stop_list s where s.account_id = ${account_id} and s.number = n.number
        and not (s.sender_id is null and s.reason = 'api' and s.text = ${crmStopText(label)})) as is_stopped_by_crm
    from unnest(${keys}::text[]) as n(number)
    left join people p on p.account_id = ${account_id} and p.number = n.number`);
  const consents: Map<string, { change: string; is_from_crm: boolean }>[] = [];
  for (const map of maps.consents) consents.push(await listLastConsents(db, account_id, map, label, keys));
  const countries = new Map(numbers.map(({ number, country }) => [number, country]));
  return new Map(
    rows.map((row): [string, PersonState] => {
      const { number, update_ms, is_member, is_stopped, is_stopped_by_crm, fields, ...texts } = row;
      const own = Object.entries(fields).map(([key, value]) => [`fields.${key}`, fieldText(value)]);
      return [
        number,
        {
          ...{ number, update_ms, is_member, is_stopped, is_stopped_by_crm },
          country: countries.get(number) ?? '',
          name: `${texts.first_name} ${texts.last_name}`.trim(),
          values: { ...texts, ...Object.fromEntries(own) },
          consents: consents.map((last) => last.get(number) ?? { change: null, is_from_crm: false }),
        },
      ];
    }),
  );
}

/** The last consent for a channel and a purpose decides. One index lookup for each number. */
async function listLastConsents(
  db: Queryable,
  account_id: string,
  { channel, purpose }: CrmConsentMap,
  label: string,
  numbers: readonly string[],
): Promise<Map<string, { change: string; is_from_crm: boolean }>> {
  const rows = await db.rows<{ number: string; change: string; is_from_crm: boolean }>(sql`
    select n.number, c.change, c.source = ${crmSource(label)} or c.text = ${crmStopText(label)} as is_from_crm
    from unnest(${numbers}::text[]) as n(number)
    cross join lateral (
      select change, source, text from consents
      where account_id = ${account_id} and number = n.number and (channel is null or channel = ${channel})
        and (purpose is null or purpose = ${purpose})
      order by create_date desc, id desc limit 1
    ) c`);
  return new Map(rows.map(({ number, ...last }) => [number, last]));
}

/** A value of the CRM that Parley cannot store. */
export class ValueError extends Error {}

/** Returns the text as Parley stores it. Throws ValueError. */
export function toParleyText(map: CrmFieldMap, own: readonly ContactField[], text: string): string {
  if (text === '') return '';
  if (Object.hasOwn(MAX_CONTACT_TEXT, map.parley))
    return [...text]
      .slice(0, MAX_CONTACT_TEXT[map.parley as keyof typeof MAX_CONTACT_TEXT])
      .join('')
      .trim();
  if (map.parley === 'language' || map.parley === 'timezone') {
    const read = factFields[map.parley].safeParse(text.trim());
    if (read.success) return read.data;
    throw new ValueError(`${map.parley === 'language' ? 'Language' : 'Time zone'}: "${shorten(text)}" is not valid`);
  }
  const field = own.find((one) => `fields.${one.key}` === map.parley);
  if (!field) throw new ValueError(`The field ${map.parley.slice('fields.'.length)} no longer exists`);
  const value = readFieldValue(field, text);
  if (value === undefined) throw new ValueError(`${field.label}: "${shorten(text)}" is not ${fieldHint(field)}`);
  return fieldText(value);
}

const shorten = (text: string): string => (text.length > 60 ? `${text.slice(0, 59)}…`.toWellFormed() : text);

/** The text of the CRM as Parley would store it, so that a value that is only written differently is no change. */
export function readable(map: CrmFieldMap, own: readonly ContactField[], text: string): string {
  try {
    return toParleyText(map, own, text);
  } catch (error) {
    if (error instanceof ValueError) return text;
    throw error;
  }
}

const matches = (text: string, expected: string): boolean => text.toLowerCase() === expected.toLowerCase();

const CONSENT_VALUES: Readonly<Record<string, string>> = { given: 'yes', withdrawn: 'no' };
export const consentKey = ({ channel, purpose }: CrmConsentMap): string => `consent.${channel}.${purpose}`;
export const OPT_OUT = 'opt_out';

/**
 * Returns the values to compare. `crm` has the values of the record; null if there is none yet. Values that mean the
 * same are made equal.
 */
export function toSlots(
  maps: Maps,
  own: readonly ContactField[],
  crm: Readonly<Record<string, string>>,
  state: PersonState,
  base: Readonly<Record<string, Pair>>,
): Slot[] {
  const fields = maps.fields.map((map): Slot => {
    const { crm: field, parley: key } = map;
    return { key, crm: readable(map, own, crm[field] ?? ''), parley: state.values[key] ?? '', base: base[key] };
  });
  const consents = maps.consents.map((map, at): Slot => {
    const text = crm[map.crm] ?? '';
    const { change, is_from_crm } = state.consents[at]!;
    const key = consentKey(map);
    return {
      ...{ key, base: base[key], safe: 'no', sticky: true, locked: !is_from_crm },
      crm: matches(text, map.yes) ? 'yes' : text !== '' && matches(text, map.no) ? 'no' : '',
      parley: CONSENT_VALUES[change ?? ''] ?? '',
    };
  });
  const { opt_out } = maps;
  if (!opt_out) return [...fields, ...consents];
  const stop: Slot = {
    ...{ key: OPT_OUT, base: base[OPT_OUT], safe: 'yes', locked: !state.is_stopped_by_crm },
    crm: matches(crm[opt_out.crm] ?? '', opt_out.yes) ? 'yes' : 'no',
    parley: state.is_stopped ? 'yes' : 'no',
  };
  return [...fields, ...consents, stop];
}

/** Returns the value that the CRM gets for a slot, and its field; null if the CRM cannot store it. */
export function toCrmValue(
  maps: Maps,
  definitions: readonly FieldDefinition[],
  key: string,
  text: string,
): { crm: string; text: string } | null {
  const found = findMap(maps, key);
  if (!found || !definitions.some((one) => one.key === found.crm && one.is_writable)) return null;
  if (!('yes' in found)) return { crm: found.crm, text };
  return { crm: found.crm, text: text === 'yes' ? found.yes : found.no };
}

const findMap = (
  { fields, consents, opt_out }: Maps,
  key: string,
): CrmFieldMap | CrmConsentMap | CrmOptOutMap | null =>
  key === OPT_OUT
    ? opt_out
    : (fields.find((map) => map.parley === key) ?? consents.find((map) => consentKey(map) === key) ?? null);
