/** Parley's own API, for what a test needs done and is not about. */
export const PASSWORD = 'Parley-demo-1';
export const OWNER = 'owner@demo.localhost';
export const AGENT = 'agent@demo.localhost';
export const OPERATOR = 'operator@demo.localhost';

export interface Api {
  token: string;
  get<T = Record<string, unknown>>(path: string): Promise<T>;
  post<T = Record<string, unknown>>(path: string, data: unknown): Promise<T>;
  put<T = Record<string, unknown>>(path: string, data: unknown): Promise<T>;
  /** A CSV of contacts, until all of it is there; gives the audience's id. */
  importAudience(name: string, csv: string): Promise<string>;
}

export async function signedIn(app: string, email: string): Promise<Api> {
  const basic = Buffer.from(`${email}:${PASSWORD}`).toString('base64');
  const { access_token: token } = await read<{ access_token: string }>(
    await fetch(`${app}/v1/users/self/token`, { headers: { authorization: `Basic ${basic}` } }),
  );
  const ask = async <T>(method: string, path: string, data?: unknown): Promise<T> =>
    read<T>(
      await fetch(`${app}/v1/${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(data === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(data === undefined ? {} : { body: JSON.stringify({ data }) }),
        signal: AbortSignal.timeout(60_000),
      }),
    );
  const api: Api = {
    token,
    get: (path) => ask('GET', path),
    post: (path, data) => ask('POST', path, data),
    put: (path, data) => ask('PUT', path, data),
    async importAudience(name, csv) {
      const form = new FormData();
      form.append('name', name);
      form.append('start', 'true');
      form.append('file', new Blob([csv], { type: 'text/csv' }), 'people.csv');
      let task = await read<{ id: string; status: string; audience_id: string }>(
        await fetch(`${app}/v1/audience_imports`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}` },
          body: form,
          signal: AbortSignal.timeout(60_000),
        }),
      );
      const until = Date.now() + 60_000;
      while (task.status !== 'completed') {
        if (task.status === 'failed' || Date.now() > until) throw new Error(`the import is ${JSON.stringify(task)}`);
        await new Promise((resolve) => setTimeout(resolve, 200));
        task = await api.get(`audience_imports/${task.id}`);
      }
      return task.audience_id;
    },
  };
  return api;
}

async function read<T>(answer: Response): Promise<T> {
  if (!answer.ok) throw new Error(`${new URL(answer.url).pathname}: ${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { data: T }).data;
}
