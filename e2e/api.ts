/** Calls Parley's API to set up tests. */
export const PASSWORD = 'Parley-demo-1';
export const OWNER = 'owner@demo.localhost';
export const AGENT = 'agent@demo.localhost';
export const OPERATOR = 'operator@demo.localhost';
/** The owner of a company whose trial has ended. */
export const PAST_TRIAL = 'trial@demo.localhost';

export interface Api {
  token: string;
  get<T = Record<string, unknown>>(path: string): Promise<T>;
  post<T = Record<string, unknown>>(path: string, data: unknown): Promise<T>;
  put<T = Record<string, unknown>>(path: string, data: unknown): Promise<T>;
  /** Imports contacts from a CSV file, waits for completion, and returns the audience's ID. */
  importAudience(name: string, csv: string): Promise<string>;
}

interface SignIn {
  access_token: string | null;
  next: string | null;
  verification_id: string | null;
}

/** Sessions by email. An authenticator code works only once, so all tests in a file reuse its session. */
const sessions = new Map<string, Promise<string>>();

/** Signs in and returns the token. If the user has 2FA, the code comes from the sandbox. */
async function signInAs(at: { app: string; sandbox: string }, email: string): Promise<string> {
  const existing = await sessions.get(email)?.catch(() => null);
  if (existing && (await isOpen(at.app, existing))) return existing;
  const first = await signInWithPassword(at.app, email);
  if (first.access_token !== null) return first.access_token;
  const session = signInWithCode(at, email, first);
  sessions.set(email, session);
  return session;
}

async function signInWithPassword(app: string, email: string): Promise<SignIn> {
  const basic = Buffer.from(`${email}:${PASSWORD}`).toString('base64');
  return read<SignIn>(await fetch(`${app}/v1/users/self/token`, { headers: { authorization: `Basic ${basic}` } }));
}

async function signInWithCode(at: { app: string; sandbox: string }, email: string, first: SignIn): Promise<string> {
  let step = first;
  for (let attempt = 0; attempt < 4; attempt++) {
    if (step.next !== 'login_verification') throw new Error(`Unexpected sign-in step of ${email}: ${step.next}`);
    const response = await fetch(`${at.sandbox}/api/authenticators/${email}`);
    const codes = (await response.json()) as { code: string; next_code: string; seconds_left: number };
    // The next code is already valid. An earlier test may have used one of the two.
    for (const code of [codes.code, codes.next_code]) {
      const attempt = await fetch(`${at.app}/v1/login_verifications/${step.verification_id}`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ data: { method: 'totp', code } }),
      });
      if (attempt.ok) return (await read<SignIn>(attempt)).access_token!;
    }
    await new Promise((resolve) => setTimeout(resolve, codes.seconds_left * 1000 + 200));
    step = await signInWithPassword(at.app, email);
  }
  throw new Error(`No code of ${email} was accepted`);
}

const isOpen = async (app: string, token: string): Promise<boolean> =>
  (await fetch(`${app}/v1/users/self`, { headers: { authorization: `Bearer ${token}` } })).ok;

export async function signedIn(at: { app: string; sandbox: string }, email: string): Promise<Api> {
  const { app } = at;
  const token = await signInAs(at, email);
  const call = async <T>(method: string, path: string, data?: unknown): Promise<T> =>
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
    get: (path) => call('GET', path),
    post: (path, data) => call('POST', path, data),
    put: (path, data) => call('PUT', path, data),
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
      const deadline = Date.now() + 60_000;
      while (task.status !== 'completed') {
        if (task.status === 'failed' || Date.now() > deadline)
          throw new Error(`Import not completed: ${JSON.stringify(task)}`);
        await new Promise((resolve) => setTimeout(resolve, 200));
        task = await api.get(`audience_imports/${task.id}`);
      }
      return task.audience_id;
    },
  };
  return api;
}

async function read<T>(response: Response): Promise<T> {
  if (!response.ok) throw new Error(`${new URL(response.url).pathname}: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { data: T }).data;
}
