/**
 * The actions that each permission allows, from the endpoints that need it. A permission that no endpoint needs grants
 * nothing.
 */
import type { AnyEndpoint } from '../endpoint.ts';
import type { Need } from '../permission.ts';

/** For each permission, the summaries of the calls that it allows. */
export type PermissionUses = Readonly<Partial<Record<Need, readonly string[]>>>;

/**
 * Calls for operators count only in the operators' account. With `keys`, only calls that API keys may make count.
 */
export function permissionUses(
  endpoints: readonly Pick<AnyEndpoint, 'needs' | 'audience' | 'summary'>[],
  { operator, keys = false }: { operator: boolean; keys?: boolean },
): PermissionUses {
  const uses: Partial<Record<Need, string[]>> = {};
  for (const { needs, audience, summary } of endpoints) {
    if (needs === null || needs === 'public' || (audience === 'operator' && !operator)) continue;
    if (keys && audience !== undefined && audience !== 'account') continue;
    for (const need of [needs].flat() as Need[]) {
      uses[need] ??= [];
      uses[need].push(summary);
    }
  }
  return uses;
}
