import { listAudiences } from '@parley/contract/audiences/audiences.ts';
import type { Jump } from '../kernel/commands.ts';
import { call } from '../kernel/http/client.ts';
import { audiencePath } from '../paths.ts';

export async function findAudiences(text: string, signal: AbortSignal): Promise<Jump[]> {
  const { data } = await call(listAudiences, { query: { filter: { search: text } } }, { signal });
  return data.map(({ id, name }) => ({ id, label: name, kind: 'Audience', path: audiencePath(id) }));
}
