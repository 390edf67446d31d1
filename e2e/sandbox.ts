/** Reads the sandbox directly so that tests see what phones and mailboxes received without relying on the app. */
interface PhoneMessage {
  id: string;
  direction: 'to_phone' | 'from_phone';
  from: string;
  to: string;
  text: string;
  status: string;
  time: string;
}
interface Submission {
  seq: number;
  from: string;
  to: string;
  text: string;
  parts: number;
  part: number;
}

interface Mail {
  subject: string;
  text: string;
  /** The codes found in the text. */
  codes: string[];
  links: string[];
}

export interface Sandbox {
  url: string;
  messages(digits: string): Promise<PhoneMessage[]>;
  write(digits: string, to: string, text: string): Promise<void>;
  phone(digits: string, state: 'on' | 'off' | 'out_of_reach' | 'full' | 'reject'): Promise<void>;
  carrier(settings: Record<string, unknown>): Promise<void>;
  usualCarrier(): Promise<void>;
  submissions(text: string): Promise<Submission[]>;
  /** Waits for the newest email with this subject. */
  mail(to: string, subject: RegExp): Promise<Mail>;
  /** Waits for the six-digit code in the newest text message. Ignores the `known` code. */
  textedCode(digits: string, previous?: string): Promise<string>;
  /** Adds a secret to the authenticator and returns its codes. */
  authenticator(label: string, secret: string): Promise<{ code: string; next_code: string }>;
}

/** Returns the last digits of an unused number, which is never a magic number (9009xx). */
export const freshDigits = (count: number): string =>
  Date.now()
    .toString()
    .slice(-count)
    .replace(/9009(..)$/, '1009$1');

/** Repeats a lookup until it returns a value. */
async function waitFor<T>(description: string, find: () => Promise<T | null | undefined>): Promise<T> {
  const deadline = Date.now() + 40_000;
  for (;;) {
    const value = await find();
    if (value) return value;
    if (Date.now() > deadline) throw new Error(`${description} did not arrive`);
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
}

export function sandboxAt(url: string): Sandbox {
  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await fetch(`${url}/api/${path}`, {
      method,
      ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(40_000),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (response.status === 204 ? null : await response.json()) as T;
  };
  return {
    url,
    messages: async (digits) => (await call<{ messages: PhoneMessage[] }>('GET', `phones/${digits}/messages`)).messages,
    write: (digits, to, text) => call('POST', `phones/${digits}/messages`, { channel: 'SMS', to, text }),
    phone: (digits, state) => call('PUT', `phones/${digits}`, { state }),
    carrier: (settings) => call('PUT', 'carrier', settings),
    usualCarrier: async () => call('PUT', 'carrier', await call('GET', 'carrier/usual')),
    mail: (to, subject) =>
      waitFor(`an email ${subject} to ${to}`, async () => {
        const { mail } = await call<{ mail: { id: string; subject: string }[] }>(
          'GET',
          `mail?to=${encodeURIComponent(to)}`,
        );
        const newest = mail.find((message) => subject.test(message.subject));
        return newest && call<Mail>('GET', `mail/${newest.id}`);
      }),
    textedCode: (digits, previous = '') =>
      waitFor(`a code for ${digits}`, async () => {
        const { messages } = await call<{ messages: PhoneMessage[] }>('GET', `phones/${digits}/messages`);
        const codes = messages
          .map(({ text }) => /\b\d{6}\b/.exec(text)?.[0])
          .filter((code) => code && code !== previous);
        return codes.at(-1);
      }),
    authenticator: (label, secret) => call('PUT', `authenticators/${encodeURIComponent(label)}`, { secret }),
    async submissions(text) {
      const all: Submission[] = [];
      let position: number | null = 0;
      while (position !== null) {
        const page: { submissions: Submission[]; next: number | null } = await call(
          'GET',
          `submissions?limit=10000&since=${position}&text=${encodeURIComponent(text)}`,
        );
        all.push(...page.submissions);
        position = page.next;
      }
      return all;
    },
  };
}
