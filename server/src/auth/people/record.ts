import { sessionChanged } from '@parley/contract/accounts/accounts.ts';
import { teamChanged } from '@parley/contract/team/team.ts';
import type { Tx } from '../../kernel/db/db.ts';
import { emit } from '../../kernel/live/events.ts';
import { type Act, type Acting, record } from '../../kernel/security/audit.ts';
import { listMemberships } from './people.ts';

/**
 * Records a person's action in the audit log of every company they belong to. The person's sessions reload their user
 * data, and open team lists are refreshed.
 */
export async function recordInEveryCompany(
  tx: Tx,
  origin: Omit<Acting, 'actor'>,
  login_id: string,
  act: Omit<Act, 'account_id' | 'target'>,
): Promise<void> {
  for (const member of await listMemberships(tx, login_id)) {
    const target = { type: 'user', id: member.user_id, name: member.email };
    record(tx, { ...origin, actor: member }, { ...act, target });
    emit(tx, sessionChanged, member.account_id, { user_id: member.user_id });
    emit(tx, teamChanged, member.account_id, { account_id: member.account_id });
  }
}
