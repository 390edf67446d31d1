/**
 * Webhooks of CRMs. A webhook only reports which records may have changed. The sync then reads the record, so it does
 * not matter whether a webhook is repeated, late, or lost: the sync also asks regularly.
 */
import type { CrmName } from '@parley/contract/crm/crm.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { provider } from '../apps.ts';
import { type Call, CrmError, type HookChange } from '../providers/provider.ts';
import { findCompanyAccount } from '../queries.ts';

const PURPOSE = 'crm webhooks';
const MAX_KEY = 100;

export const hookPath = (name: CrmName, account_id: string | null): string =>
  `/callbacks/crm/${name}${account_id === null ? '' : `/${account_id}`}`;

/** Derived from the secret of the installation, so it is not stored. */
export const hookPassword = ({ seals }: Pick<Kernel, 'seals'>, name: CrmName, account_id: string): string =>
  seals.mac(`${name} ${account_id}`, PURPOSE).toString('base64url');

export async function noteHook(
  kernel: Kernel,
  name: CrmName,
  changes: readonly HookChange[],
  account_id: string | null,
): Promise<void> {
  for (const company_id of new Set(changes.map((change) => change.company_id))) {
    const owner = await findCompanyAccount(kernel.db, name, company_id);
    if (!owner || (account_id !== null && owner.account_id !== account_id)) continue;
    const own = changes.filter((change) => change.company_id === company_id && change.key.length <= MAX_KEY);
    await kernel.db.tx((tx) => insertChanges(tx, owner.account_id, name, own));
  }
}

/** Only for accounts that use them. */
const insertChanges = (tx: Tx, account_id: string, name: CrmName, changes: readonly Omit<HookChange, 'company_id'>[]) =>
  tx.run(sql`
    insert into crm_changes (account_id, provider, kind, key)
    select s.account_id, s.provider, c.kind, c.key
    from crm_syncs s
    cross join unnest(${changes.map(({ kind }) => kind)}::text[], ${changes.map(({ key }) => key)}::text[])
      as c(kind, key)
    where s.account_id = ${account_id} and s.provider = ${name}
      and (c.kind = 'record' and s.is_on or c.kind = 'deal' and s.has_triggers)`);

/** Subscribes if the CRM needs it. Without webhooks, the sync still finds all changes, only later. */
export async function subscribe(kernel: Kernel, name: CrmName, account_id: string, call: Call): Promise<void> {
  const { hooks } = provider(name);
  if (!hooks.subscribe) return;
  const row = await kernel.db.maybeOne<{ hook_ids: string[] }>(sql`
    select hook_ids from crm_syncs where account_id = ${account_id} and provider = ${name}`);
  if (!row || row.hook_ids.length > 0) return;
  try {
    const url = kernel.config.PUBLIC_URL + hookPath(name, account_id);
    const ids = await hooks.subscribe(call, { url, password: hookPassword(kernel, name, account_id) });
    await kernel.db.run(sql`
      update crm_syncs set hook_ids = ${ids}::text[] where account_id = ${account_id} and provider = ${name}`);
  } catch (error) {
    if (!(error instanceof CrmError)) throw error;
    kernel.log.warn({ err: error, crm: name, account_id }, 'no webhooks from the CRM');
  }
}

/** A webhook that remains is refused, because it belongs to no account. */
export async function unsubscribe(kernel: Kernel, name: CrmName, ids: readonly string[], call: Call): Promise<void> {
  for (const id of ids)
    await provider(name)
      .hooks.unsubscribe(call, id)
      .catch((error: unknown) => kernel.log.warn({ err: error, crm: name }, 'removing a webhook of the CRM'));
}
