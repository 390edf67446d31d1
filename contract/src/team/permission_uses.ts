/** What each permission allows, from the endpoints that need it. A permission that no endpoint needs grants nothing. */
import type { AnyEndpoint } from '../endpoint.ts';
import type { Need } from '../permission.ts';

/** For each permission, the summaries of the calls that it allows. */
export type PermissionUses = Readonly<Partial<Record<Need, readonly string[]>>>;

/** Calls for operators count only in the operators' account. */
export function permissionUses(
  endpoints: readonly Pick<AnyEndpoint, 'needs' | 'audience' | 'summary'>[],
  { operator }: { operator: boolean },
): PermissionUses {
  const uses: Partial<Record<Need, string[]>> = {};
  for (const { needs, audience, summary } of endpoints) {
    if (needs === null || needs === 'public' || (audience === 'operator' && !operator)) continue;
    for (const need of [needs].flat() as Need[]) {
      uses[need] ??= [];
      uses[need].push(summary);
    }
  }
  return uses;
}
