/**
 * Panel access: the CRM signs a token for its viewer, and Parley exchanges it for an access token that is
 * valid for an hour. The panel acts as the Parley user who connected this person, with that user's current permissions.
 */
import type { CrmName } from '@parley/contract/crm/crm.ts';
import { Problem } from '@parley/contract/problem.ts';
import { findUserActor, hashToken } from '../../auth/auth.ts';
import { newId, secret } from '../../kernel/clock.ts';
import { type Queryable, sql, type Tx } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { Actor, Gate } from '../../kernel/security/auth.ts';
import { requireApp } from '../apps.ts';
import { findCompanyAccount, findCrmUser } from '../queries.ts';
import { readSignedToken } from './signed_token.ts';

const SESSION_SECONDS = 3_600;

export async function openPanel(
  tx: Tx,
  kernel: Kernel,
  name: CrmName,
  token: string,
): Promise<{ access_token: string; expire_date: string; company_id: string }> {
  const claims = readSignedToken(token, requireApp(kernel, name).client_secret, tx.now);
  if (!claims) throw new Problem('CRM_PANEL_TOKEN_INVALID');
  const owner = await findCompanyAccount(tx, name, claims.company_id);
  if (!owner) throw new Problem('CRM_NOT_CONNECTED');
  const user = await findCrmUser(tx, owner.account_id, name, claims.user_id);
  if (user?.state !== 'active') throw new Problem('CRM_USER_NOT_CONNECTED');
  const access_token = secret();
  const { expire_date } = await tx.one<{ expire_date: string }>(sql`
    with expired as (
      delete from crm_sessions where token_hash in (
        select token_hash from crm_sessions where expire_date < ${tx.now} order by expire_date limit 50
        for update skip locked))
    insert into crm_sessions (token_hash, id, account_id, provider, crm_user_id, expire_date)
    values (${hashToken(access_token)}, ${newId()}, ${owner.account_id}, ${name}, ${claims.user_id},
            ${tx.now}::timestamptz + make_interval(secs => ${SESSION_SECONDS}))
    returning to_char(expire_date, 'YYYY-MM-DD HH24:MI:SS') as expire_date`);
  return { access_token, expire_date, company_id: claims.company_id };
}

/** Identifies the caller of an endpoint for panels. */
export const panelGate =
  ({ db }: Pick<Kernel, 'db'>): NonNullable<Gate['panel']> =>
  async (token) => {
    const session = await db.maybeOne<{ id: string; account_id: string; user_id: string }>(sql`
      select s.id, s.account_id, u.user_id
      from crm_sessions s
      join crm_users u on u.account_id = s.account_id and u.provider = s.provider and u.id = s.crm_user_id
      where s.token_hash = ${hashToken(token)} and s.expire_date > ${db.clock.now()} and u.state = 'active'`);
    const actor = session && (await findUserActor(db, session.account_id, session.user_id));
    return actor ? { ...actor, session_id: session.id } : null;
  };

/** The CRM user who is viewing the panel. */
export async function readPanelPerson(
  db: Queryable,
  { account_id, session_id }: Actor,
): Promise<{ provider: CrmName; crm_user_id: string }> {
  const row = await db.maybeOne<{ provider: CrmName; crm_user_id: string }>(sql`
    select provider, crm_user_id from crm_sessions where account_id = ${account_id} and id = ${session_id}`);
  if (!row) throw new Problem('CRM_NOT_CONNECTED');
  return row;
}
