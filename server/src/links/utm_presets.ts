/** Saved UTM parameters of an account. */
import type { Parsed } from '@parley/contract/endpoint.ts';
import { UTM_PARAMS } from '@parley/contract/links/utm.ts';
import { type createUtmPreset, MAX_UTM_PRESETS, type UtmPreset } from '@parley/contract/links/utm_presets.ts';
import { Problem } from '@parley/contract/problem.ts';
import { newId } from '../kernel/clock.ts';
import { type Queryable, raw, sql, type Tx } from '../kernel/db/db.ts';
import type { Actor } from '../kernel/security/auth.ts';

const columns = raw(`id, account_id, name, params->>'source' as source, params->>'medium' as medium,
  params->>'campaign' as campaign, params->>'term' as term, params->>'content' as content, create_date`);

export const listUtmPresets = (db: Queryable, { account_id }: Actor) =>
  db.rows<UtmPreset>(sql`
    select ${columns} from utm_presets where account_id = ${account_id} order by lower(name)`);

export async function createPreset(
  tx: Tx,
  actor: Actor,
  { name, ...params }: Parsed<typeof createUtmPreset>['body'],
): Promise<UtmPreset> {
  const { account_id } = actor;
  if (UTM_PARAMS.every((param) => params[param] === '')) throw new Problem('UTM_PRESET_EMPTY');
  if ((await listUtmPresets(tx, actor)).length >= MAX_UTM_PRESETS) throw new Problem('UTM_PRESETS_LIMIT_EXCEEDED');
  const preset = await tx.maybeOne<UtmPreset>(sql`
    insert into utm_presets (account_id, id, name, params, create_date)
    values (${account_id}, ${newId()}, ${name}, ${JSON.stringify(params)}::jsonb, ${tx.now})
    on conflict (account_id, lower(name)) do nothing
    returning ${columns}`);
  if (!preset) throw new Problem('UTM_PRESET_EXISTS');
  return preset;
}

export async function removePreset(tx: Tx, { account_id }: Actor, id: string): Promise<void> {
  const count = await tx.run(sql`delete from utm_presets where account_id = ${account_id} and id = ${id}`);
  if (count === 0) throw new Problem('UTM_PRESET_NOT_FOUND');
}
