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

export interface Sandbox {
  url: string;
  messages(digits: string): Promise<PhoneMessage[]>;
  write(digits: string, to: string, text: string): Promise<void>;
  phone(digits: string, state: 'on' | 'off' | 'out_of_reach' | 'full' | 'reject'): Promise<void>;
  carrier(settings: Record<string, unknown>): Promise<void>;
  usualCarrier(): Promise<void>;
  submissions(text: string): Promise<Submission[]>;
}

export function sandboxAt(url: string): Sandbox {
  const ask = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await fetch(`${url}/api/${path}`, {
      method,
      ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(20_000),
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
