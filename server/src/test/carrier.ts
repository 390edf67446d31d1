/** Controls the sandbox from outside: its carrier settings, its phones, and the messages it accepted. */
import type { World } from './world.ts';

interface Accepted {
  seq: number;
  from: string;
  to: string;
  text: string;
  part: number;
  parts: number;
  reference: number | null;
  outcome: string;
}

export interface Carrier {
  set(settings: object): Promise<void>;
  cut(for_ms?: number): Promise<void>;
  /** Returns the accepted messages to a number, or all accepted messages. */
  accepted(to?: string): Promise<Accepted[]>;
  /** Returns the messages on a phone in both directions, oldest first. */
  phone(digits: string): Promise<{ direction: string; text: string; from: string; to: string; status: string }[]>;
  write(digits: string, to: string, text: string): Promise<void>;
}

export function openCarrier(world: World): Carrier {
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(world.sandbox!.url + path, {
      method,
      ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json() as Promise<never>;
  };
  return {
    async set(settings) {
      await call('PUT', '/api/carrier', settings);
    },
    async cut(for_ms = 0) {
      await call('POST', '/api/carrier/cut', { for_ms });
    },
    async accepted(to = '') {
      const submissions: Accepted[] = [];
      for (let since: number | null = 0; since !== null; ) {
        const page: { submissions: Accepted[]; next: number | null } = await call(
          'GET',
          `/api/submissions?limit=10000&since=${since}&to=${to}`,
        );
        submissions.push(...page.submissions);
        since = page.next;
      }
      return submissions;
    },
    async phone(digits) {
      const { messages } = (await call('GET', `/api/phones/${digits}/messages?limit=500`)) as {
        messages: Awaited<ReturnType<Carrier['phone']>>;
      };
      return messages;
    },
    async write(digits, to, text) {
      await call('POST', `/api/phones/${digits}/messages`, { channel: 'SMS', to, text });
    },
  };
}
