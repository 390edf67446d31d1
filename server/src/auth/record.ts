/** Acts of a person that concern every company they belong to: each log says so, and each of their sessions asks anew who it is. */
import { sessionChanged } from '@parley/contract/accounts.ts';
import { type Act, type Acting, record } from '../kernel/audit.ts';
import type { Tx } from '../kernel/db.ts';
import { emit } from '../kernel/events.ts';
import { membershipsOf } from './people.ts';

export async function recordEverywhere(
  tx: Tx,
  who: Omit<Acting, 'actor'>,
  login_id: string,
  act: Omit<Act, 'account_id' | 'target'>,
): Promise<void> {
  for (const member of await membershipsOf(tx, login_id)) {
    record(tx, { ...who, actor: member }, { ...act, target: { type: 'user', id: member.user_id, name: '' } });
    emit(tx, sessionChanged, member.account_id, { user_id: member.user_id });
  }
}
