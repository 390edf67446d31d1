/** The data that every step of a sync uses, read once per run. */
import type { ContactField } from '@parley/contract/audiences/contact_fields.ts';
import { listFields, parseNumber } from '../../audiences/audiences.ts';
import { type Queryable, sql } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { label, provider } from '../apps.ts';
import type { Call, CrmContact, CrmProvider, FieldDefinition } from '../providers/provider.ts';
import type { SyncKey } from './queries.ts';
import type { Maps } from './values.ts';

export interface SyncContext extends SyncKey {
  readonly kernel: Kernel;
  readonly crm: CrmProvider;
  readonly label: string;
  readonly call: Call;
  readonly maps: Maps;
  /** The fields of the CRM that are in the maps. */
  readonly definitions: readonly FieldDefinition[];
  /** The account's own fields. */
  readonly own: readonly ContactField[];
  /** The country of numbers without a country code. */
  readonly country: string;
}

export async function readContext(kernel: Kernel, key: SyncKey, call: Call, maps: Maps): Promise<SyncContext> {
  const crm = provider(key.provider);
  const used = mappedFields(maps);
  return {
    account_id: key.account_id,
    provider: key.provider,
    ...{ kernel, crm, call, maps },
    label: label(key.provider),
    definitions: (await crm.fields(call)).filter((field) => used.has(field.key)),
    own: await listFields(kernel.db, key.account_id),
    country: await readCountry(kernel.db, key.account_id),
  };
}

const readCountry = async (db: Queryable, account_id: string): Promise<string> =>
  (await db.one<{ country_code: string }>(sql`select country_code from accounts where id = ${account_id}`))
    .country_code;

const mappedFields = ({ fields, consents, opt_out }: Maps): Set<string> =>
  new Set([...fields, ...consents, ...(opt_out ? [opt_out] : [])].map(({ crm }) => crm));

/** The numbers of a record that can receive messages, in the order of the CRM. */
export const readNumbers = (
  { country }: Pick<SyncContext, 'country'>,
  { numbers }: Pick<CrmContact, 'numbers'>,
): { number: string; country: string }[] =>
  numbers.flatMap(({ text }) => {
    const parsed = parseNumber(text, country);
    return parsed ? [{ number: parsed.number, country: parsed.country }] : [];
  });
