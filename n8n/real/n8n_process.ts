/** Starts the real n8n and calls the API that its own editor uses. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';

const START_MS = 300_000;
const CALL_MS = 60_000;
const STOP_MS = 20_000;
const OWNER = { email: 'owner@n8n.localhost', firstName: 'Olive', lastName: 'Owner', password: 'Parley-demo-1' };

export interface Credential {
  id: string;
  name: string;
  type: string;
  data: object;
}

interface Options {
  /** The folder whose `node_modules` contain n8n. */
  programs: string;
  user_folder: string;
  database: URL;
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}

const settings = ({ user_folder, database }: Options, port: number, broker: number): NodeJS.ProcessEnv => ({
  ...{ PATH: process.env.PATH, HOME: user_folder, N8N_USER_FOLDER: user_folder, NODE_ENV: 'production' },
  ...{ N8N_PORT: String(port), N8N_LISTEN_ADDRESS: '127.0.0.1', N8N_RUNNERS_BROKER_PORT: String(broker) },
  ...{ WEBHOOK_URL: `http://127.0.0.1:${port}/`, N8N_SECURE_COOKIE: 'false', N8N_LOG_LEVEL: 'warn' },
  ...{ DB_TYPE: 'postgresdb', DB_POSTGRESDB_HOST: database.searchParams.get('host')! },
  ...{ DB_POSTGRESDB_DATABASE: database.pathname.slice(1), DB_POSTGRESDB_USER: decodeURIComponent(database.username) },
  DB_POSTGRESDB_PASSWORD: decodeURIComponent(database.password),
  // Nothing leaves this machine: the downloads of n8n are turned off, and any other request reaches a closed port.
  ...{ N8N_DIAGNOSTICS_ENABLED: 'false', N8N_VERSION_NOTIFICATIONS_ENABLED: 'false', N8N_TEMPLATES_ENABLED: 'false' },
  ...{ HTTP_PROXY: 'http://127.0.0.1:1', HTTPS_PROXY: 'http://127.0.0.1:1', NO_PROXY: '127.0.0.1,localhost' },
});

export async function startN8n(options: Options) {
  const port = await findFreePort();
  const program = join(options.programs, 'node_modules/n8n/bin/n8n');
  const child = spawn(process.execPath, [program, 'start'], {
    env: settings(options, port, await findFreePort()),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => {
      output = (output + part.toString()).slice(-20_000);
    });
  const base = `http://127.0.0.1:${port}`;
  const stop = async () => {
    if (child.exitCode !== null) return;
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    await once(child, 'exit');
    clearTimeout(timer);
  };
  try {
    await waitUntilReady(base, () => child.exitCode !== null);
    const api = await signIn(base);
    return { stop, ...api };
  } catch (error) {
    console.error(output);
    await stop();
    throw error;
  }
}

export type N8n = Awaited<ReturnType<typeof startN8n>>;

async function waitUntilReady(base: string, hasStopped: () => boolean): Promise<void> {
  const end = Date.now() + START_MS;
  while (!(await fetch(`${base}/healthz/readiness`).catch(() => null))?.ok) {
    if (hasStopped()) throw new Error('n8n stopped while starting');
    if (Date.now() > end) throw new Error('n8n did not become ready');
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

async function signIn(base: string) {
  let cookie = '';
  const request = async (path: string, init: RequestInit = {}): Promise<unknown> => {
    const response = await fetch(base + path, {
      ...init,
      headers: { cookie, 'content-type': 'application/json', 'browser-id': 'parley-test' },
      signal: AbortSignal.timeout(CALL_MS),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${init.method ?? 'GET'} ${path} -> ${response.status} ${text.slice(0, 1_000)}`);
    const set = response.headers.get('set-cookie');
    if (set) cookie = set.split(';')[0]!;
    return text ? JSON.parse(text) : null;
  };
  const post = async (path: string, body: object) =>
    ((await request(`/rest${path}`, { method: 'POST', body: JSON.stringify(body) })) as { data: unknown }).data;
  await post('/owner/setup', OWNER);
  return { get: request, ...makeCredentialClient(post), ...makeWorkflowClient(base, request, post) };
}

type Post = (path: string, body: object) => Promise<unknown>;
type Request = (path: string, init?: RequestInit) => Promise<unknown>;

const makeCredentialClient = (post: Post) => ({
  async createCredential(type: string, data: object): Promise<Credential> {
    const { id, name } = (await post('/credentials', { name: `Parley ${Math.random()}`, type, data })) as Credential;
    return { id, name, type, data };
  },
  async testCredential(credential: Credential): Promise<{ status: string; message: string }> {
    return (await post('/credentials/test', { credentials: credential })) as { status: string; message: string };
  },
});

interface Workflow {
  id: string;
  versionId: string;
}

const makeWorkflowClient = (base: string, request: Request, post: Post) => ({
  async activate(workflow: object): Promise<Workflow> {
    const created = (await post('/workflows', { ...workflow, settings: {}, active: false })) as Workflow;
    await post(`/workflows/${created.id}/activate`, { versionId: created.versionId });
    return created;
  },
  deactivate: ({ id }: Workflow) => post(`/workflows/${id}/deactivate`, {}),
  /** Calls the webhook that starts a workflow, and returns what its last node returned. */
  async call(path: string, body: object): Promise<unknown> {
    const init = { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    const response = await fetch(`${base}/webhook/${path}`, { ...init, signal: AbortSignal.timeout(CALL_MS) });
    const text = await response.text();
    if (!response.ok) throw new Error(`webhook ${path} -> ${response.status} ${text}`);
    return JSON.parse(text);
  },
  /** The output of a node in the executions of a workflow. */
  async results({ id }: Workflow, node: string): Promise<Record<string, unknown>[]> {
    const filter = encodeURIComponent(JSON.stringify({ workflowId: id }));
    const { data } = (await request(`/rest/executions?filter=${filter}`)) as { data: { results: { id: string }[] } };
    const found: Record<string, unknown>[] = [];
    for (const execution of data.results) {
      const detail = (await request(`/rest/executions/${execution.id}`)) as { data: { data: string } };
      found.push(...readResults(detail.data.data, node));
    }
    return found;
  },
});

/** n8n stores an execution as a flat array, in which strings are positions of other values. */
function readResults(text: string, node: string): Record<string, unknown>[] {
  const flat = JSON.parse(text) as unknown[];
  const resolve = (value: unknown): unknown => {
    if (typeof value === 'string') return follow(flat[Number(value)]);
    return follow(value);
  };
  const follow = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, resolve(item)]));
    return value;
  };
  const { resultData } = follow(flat[0]) as {
    resultData: { runData: Record<string, { data?: { main: { json: Record<string, unknown> }[][] } }[]> };
  };
  return (resultData.runData[node] ?? []).flatMap(({ data }) => data?.main.flat().map(({ json }) => json) ?? []);
}
