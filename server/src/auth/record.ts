/**
 * Acts of a person that concern every company they belong to: each log says so, each of their sessions asks anew who it is, and whoever looks at
 * the list of colleagues sees it.
 */
import { sessionChanged } from '@parley/contract/accounts/accounts.ts';
import { teamChanged } from '@parley/contract/team/team.ts';
import type { Tx } from '../kernel/db/db.ts';
import { emit } from '../kernel/live/events.ts';
import { type Act, type Acting, record } from '../kernel/security/audit.ts';
import { membershipsOf } from './people.ts';

export async function recordEverywhere(
  tx: Tx,
  who: Omit<Acting, 'actor'>,
  login_id: string,
  act: Omit<Act, 'account_id' | 'target'>,
): Promise<void> {
  for (const member of await membershipsOf(tx, login_id)) {
    record(tx, { ...who, actor: member }, { ...act, target: { type: 'user', id: member.user_id, name: member.email } });
    emit(tx, sessionChanged, member.account_id, { user_id: member.user_id });
    emit(tx, teamChanged, member.account_id, { account_id: member.account_id });
  }
}
