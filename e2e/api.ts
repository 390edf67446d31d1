/** Parley's own API, for what a test needs done and is not about. */
export const PASSWORD = 'Parley-demo-1';
export const OWNER = 'owner@demo.localhost';
export const AGENT = 'agent@demo.localhost';
export const OPERATOR = 'operator@demo.localhost';
/** Owner of a company whose trial is over. */
export const PAST_TRIAL = 'trial@demo.localhost';

export interface Api {
  token: string;
  get<T = Record<string, unknown>>(path: string): Promise<T>;
  post<T = Record<string, unknown>>(path: string, data: unknown): Promise<T>;
  put<T = Record<string, unknown>>(path: string, data: unknown): Promise<T>;
  /** A CSV of contacts, until all of it is there; gives the audience's id. */
  importAudience(name: string, csv: string): Promise<string>;
}

interface SignIn {
  access_token: string | null;
  next: string | null;
  verification_id: string | null;
}

/** A code of an authenticator is good once, so whoever needs one keeps the session for all tests of a file. */
const sessions = new Map<string, Promise<string>>();

/** A token, with a second step for those who have one: the code is asked of the sandbox. */
export async function signInAs(at: { app: string; sandbox: string }, email: string): Promise<string> {
  const kept = await sessions.get(email)?.catch(() => null);
  if (kept && (await isOpen(at.app, kept))) return kept;
  const first = await withPassword(at.app, email);
  if (first.access_token !== null) return first.access_token;
  const session = withCode(at, email, first);
  sessions.set(email, session);
  return session;
}

async function withPassword(app: string, email: string): Promise<SignIn> {
  const basic = Buffer.from(`${email}:${PASSWORD}`).toString('base64');
  return read<SignIn>(await fetch(`${app}/v1/users/self/token`, { headers: { authorization: `Basic ${basic}` } }));
}

async function withCode(at: { app: string; sandbox: string }, email: string, first: SignIn): Promise<string> {
  let step = first;
  for (let attempt = 0; attempt < 4; attempt++) {
    if (step.next !== 'login_verification') throw new Error(`${email} is asked for ${step.next}`);
    const answer = await fetch(`${at.sandbox}/api/authenticators/${email}`);
    const codes = (await answer.json()) as { code: string; next_code: string; seconds_left: number };
    // The next one counts already; a test before may have used both.
    for (const code of [codes.code, codes.next_code]) {
      const reply = await fetch(`${at.app}/v1/login_verifications/${step.verification_id}`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ data: { method: 'totp', code } }),
      });
      if (reply.ok) return (await read<SignIn>(reply)).access_token!;
    }
    await new Promise((resolve) => setTimeout(resolve, codes.seconds_left * 1000 + 200));
    step = await withPassword(at.app, email);
  }
  throw new Error(`no code of ${email} was taken`);
}

const isOpen = async (app: string, token: string): Promise<boolean> =>
  (await fetch(`${app}/v1/users/self`, { headers: { authorization: `Bearer ${token}` } })).ok;

export async function signedIn(at: { app: string; sandbox: string }, email: string): Promise<Api> {
  const { app } = at;
  const token = await signInAs(at, email);
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
