import { allPermissions, type Permissions } from '@parley/contract/permission.ts';
import { type Queryable, sql } from '../kernel/db/db.ts';
import type { Actor } from '../kernel/security/auth.ts';

/** The user's current permissions, for jobs that run long after their request; null if blocked or removed. */
export async function readCurrentPermissions(
  db: Queryable,
  actor: Pick<Actor, 'account_id' | 'user_id'>,
): Promise<Permissions | null> {
  const user = await db.maybeOne<{ permissions: Permissions; is_owner: boolean }>(sql`
    select permissions, is_owner from users
    where account_id = ${actor.account_id} and id = ${actor.user_id} and not blocked and remove_date is null`);
  return user && (user.is_owner ? allPermissions() : user.permissions);
}
