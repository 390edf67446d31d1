/** WhatsApp and Viber on the sandbox's phones: what a person there does, and what stands in their chats whatever the app says. */
import type { Sandbox } from './sandbox.ts';

export type ChatChannel = 'WHATSAPP' | 'VIBER';

export interface ChatMessage {
  id: string;
  channel: ChatChannel | 'SMS';
  direction: 'to_phone' | 'from_phone';
  text: string;
  status: string;
  content: {
    kind: string;
    text: string | null;
    caption: string | null;
    media: { url: string; mime: string; file_name: string | null; size: number } | null;
    buttons: { type: string; text: string; value: string | null }[];
    template: { name: string } | null;
  };
  pressed: unknown;
}

export interface Wording {
  channel: ChatChannel;
  to?: string;
  text?: string;
  media_url?: string;
  press?: { message_id: string; button: string | number };
}

export interface ChatPhone {
  digits: string;
  is(profile: Record<string, unknown>): Promise<void>;
  writes(message: Wording): Promise<void>;
  /** What it got, oldest first. */
  got(): Promise<ChatMessage[]>;
  /** Everything unread is opened now. */
  reads(): Promise<void>;
}

/** Numbers of their own for each run; never one of those that behave in a way of their own. */
const run = 100 + (Math.floor(Date.now() / 1_000) % 800);
let last = 100;
export const newNumber = (): string => `447400${run}${last++}`;
/** One that does behave so, by its last six digits. */
export const magicNumber = (ending: string): string => `4474${String(run % 50).padStart(2, '0')}${ending}`;

const ask = async <T>({ url }: Sandbox, method: string, path: string, body?: unknown): Promise<T> => {
  const answer = await fetch(`${url}/api/${path}`, {
    method,
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(40_000),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
};

export function chatPhone(sandbox: Sandbox, digits: string): ChatPhone {
  return {
    digits,
    is: async (profile) => void (await ask(sandbox, 'PUT', `phones/${digits}`, profile)),
    writes: async (message) => void (await ask(sandbox, 'POST', `phones/${digits}/messages`, message)),
    got: async () => {
      const { messages } = await ask<{ messages: ChatMessage[] }>(sandbox, 'GET', `phones/${digits}/messages`);
      return messages.filter(({ direction }) => direction === 'to_phone');
    },
    reads: async () => void (await ask(sandbox, 'POST', `phones/${digits}/read`, {})),
  };
}

/** A file on the sandbox, to be sent by a phone. */
export async function fileOf({ url }: Sandbox, name: string, bytes: Buffer, mime: string): Promise<string> {
  const answer = await fetch(`${url}/api/files?name=${name}`, {
    method: 'POST',
    headers: { 'content-type': mime },
    body: new Uint8Array(bytes),
  });
  if (!answer.ok) throw new Error(`the file was not taken: ${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { url: string }).url;
}

/** Of Viber's types, which say for what and how a message was sent: 306 and what else begins with 3 belongs to a conversation. */
export const viberTypes = async (sandbox: Sandbox, to: string): Promise<number[]> =>
  (await ask<{ messages: { type: number }[] }>(sandbox, 'GET', `viber/messages?to=${to}`)).messages.map(
    ({ type }) => type,
  );
