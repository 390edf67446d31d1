/** The world outside, asked directly: what phones got is what they got, whatever the app says. */
export interface PhoneMessage {
  id: string;
  direction: 'to_phone' | 'from_phone';
  from: string;
  to: string;
  text: string;
  status: string;
  time: string;
}
export interface Submission {
  seq: number;
  from: string;
  to: string;
  text: string;
  parts: number;
  part: number;
}

export interface Mail {
  subject: string;
  text: string;
  /** What a person would copy out of it. */
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
  /** The newest mail of this subject, as soon as it is there. */
  mail(to: string, subject: RegExp): Promise<Mail>;
  /** The six digits of the newest text message, as soon as they are there; not those that are known already. */
  textedCode(digits: string, known?: string): Promise<string>;
  /** An authenticator app takes in a secret and shows codes. */
  authenticator(label: string, secret: string): Promise<{ code: string; next_code: string }>;
}

/** The end of a number nobody has used yet; never one of those that behave in a way of their own (9009xx). */
export const freshDigits = (count: number): string =>
  Date.now()
    .toString()
    .slice(-count)
    .replace(/9009(..)$/, '1009$1');

/** Asks again until there is an answer. */
async function found<T>(what: string, look: () => Promise<T | null | undefined>): Promise<T> {
  const end = Date.now() + 40_000;
  for (;;) {
    const answer = await look();
    if (answer) return answer;
    if (Date.now() > end) throw new Error(`${what} did not come`);
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
}

export function sandboxAt(url: string): Sandbox {
  const ask = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await fetch(`${url}/api/${path}`, {
      method,
      ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(40_000),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (answer.status === 204 ? null : await answer.json()) as T;
  };
  return {
    url,
    messages: async (digits) => (await ask<{ messages: PhoneMessage[] }>('GET', `phones/${digits}/messages`)).messages,
    write: (digits, to, text) => ask('POST', `phones/${digits}/messages`, { channel: 'SMS', to, text }),
    phone: (digits, state) => ask('PUT', `phones/${digits}`, { state }),
    carrier: (settings) => ask('PUT', 'carrier', settings),
    usualCarrier: async () => ask('PUT', 'carrier', await ask('GET', 'carrier/usual')),
    mail: (to, subject) =>
      found(`a mail ${subject} to ${to}`, async () => {
        const { mail } = await ask<{ mail: { id: string; subject: string }[] }>(
          'GET',
          `mail?to=${encodeURIComponent(to)}`,
        );
        const newest = mail.find((one) => subject.test(one.subject));
        return newest && ask<Mail>('GET', `mail/${newest.id}`);
      }),
    textedCode: (digits, known = '') =>
      found(`a code for ${digits}`, async () => {
        const { messages } = await ask<{ messages: PhoneMessage[] }>('GET', `phones/${digits}/messages`);
        const codes = messages.map(({ text }) => /\b\d{6}\b/.exec(text)?.[0]).filter((code) => code && code !== known);
        return codes.at(-1);
      }),
    authenticator: (label, secret) => ask('PUT', `authenticators/${encodeURIComponent(label)}`, { secret }),
    async submissions(text) {
      const all: Submission[] = [];
      let since: number | null = 0;
      while (since !== null) {
        const page: { submissions: Submission[]; next: number | null } = await ask(
          'GET',
          `submissions?limit=10000&since=${since}&text=${encodeURIComponent(text)}`,
        );
        all.push(...page.submissions);
        since = page.next;
      }
      return all;
    },
  };
}
