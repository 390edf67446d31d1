/** A world whose sandbox plays the CRMs, for tests. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeCompany } from '../make.ts';
import { type Caller, createWorld, freePort, type SandboxProcess, startSandbox, until, type World } from '../world.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read responses member by member
export type Control = (method: string, path: string, body?: unknown) => Promise<any>;

export interface CrmWorld {
  readonly world: World;
  readonly box: SandboxProcess;
  /** Calls the controls of the sandbox for a CRM. */
  control(crm: 'pipedrive' | 'hubspot'): Control;
  stop(): Promise<void>;
}

export async function createCrmWorld(role: 'all' | 'api' = 'all'): Promise<CrmWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-crm-'));
  const box = await startSandbox(folder);
  const PORT = String(await freePort());
  const PUBLIC_URL = `http://127.0.0.1:${PORT}`;
  const apps = ['pipedrive', 'hubspot'].map((crm) => `${crm},parley,sandbox-${crm}-secret,${box.url}/${crm}`);
  const world = await createWorld({ role, settings: { PORT, PUBLIC_URL, CRM_APPS: apps.join(';') } });
  const control =
    (crm: string): Control =>
    async (method, path, body) => {
      const response = await fetch(`${box.url}/api/${crm}${path}`, {
        method,
        ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      });
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
      return response.status === 204 ? null : response.json();
    };
  await control('pipedrive')('PUT', '/app', { callback_url: `${PUBLIC_URL}/pipedrive` });
  await control('hubspot')('PUT', '/app', {
    callback_url: `${PUBLIC_URL}/crm/hubspot`,
    hook_url: `${PUBLIC_URL}/callbacks/crm/hubspot`,
  });
  return {
    ...{ world, box, control },
    async stop() {
      await world.stop();
      await box.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A German company that has connected the CRM. */
export async function makeConnected({ world, control }: CrmWorld, crm: 'pipedrive' | 'hubspot') {
  const made = await makeCompany(world.kernel, { country: 'DE' });
  const owner = world.as(made.token);
  await control(crm)('POST', '/reset');
  const path = `/v1/crm_connections/${crm}`;
  const { url } = (await owner.post(`${path}/authorizations`)).body.data;
  const { code } = await control(crm)('POST', '/codes', crm === 'pipedrive' ? { user_id: 1001 } : undefined);
  const connected = await owner.post(`${path}/users`, { code, state: new URL(url).searchParams.get('state') });
  if (connected.status !== 201) throw new Error(connected.text);
  return { ...made, owner, path };
}

export const readSync = async (owner: Caller, path: string) => (await owner.get(`${path}/sync`)).body.data;

export const syncedFully = (owner: Caller, path: string): Promise<void> =>
  until('the full sync has ended', async () => {
    const { stage, full_date, waiting_count } = await readSync(owner, path);
    return stage === 'idle' && full_date !== null && waiting_count === 0;
  });
