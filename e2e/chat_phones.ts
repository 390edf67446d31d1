/** WhatsApp and Viber on the sandbox phones: the actions of a person, and the messages in their chats. */
import type { Sandbox } from './sandbox.ts';
import { expect, type Locator } from './test.ts';

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

interface OutgoingMessage {
  channel: ChatChannel;
  to?: string;
  text?: string;
  media_url?: string;
  contacts?: { name: string; phones: string[]; emails: string[] }[];
  press?: { message_id: string; button: string | number };
}

export interface ChatPhone {
  digits: string;
  setProfile(profile: Record<string, unknown>): Promise<void>;
  write(message: OutgoingMessage): Promise<void>;
  /** Messages received by the phone, oldest first. */
  messages(): Promise<ChatMessage[]>;
  /** Opens all unread messages. */
  openUnread(): Promise<void>;
}

/** Part of each number. It differs between runs so that numbers are not reused. */
const prefix = 100 + (Math.floor(Date.now() / 1_000) % 800);
let last = 100;
/** Returns a number that is new in each run and is never a magic number. */
export const newNumber = (): string => `447400${prefix}${last++}`;
/** Returns a magic number, whose last six digits select its behavior. */
export const magicNumber = (ending: string): string => `4474${String(prefix % 50).padStart(2, '0')}${ending}`;

const call = async <T>({ url }: Sandbox, method: string, path: string, body?: unknown): Promise<T> => {
  const response = await fetch(`${url}/api/${path}`, {
    method,
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(40_000),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
};

export function chatPhone(sandbox: Sandbox, digits: string): ChatPhone {
  return {
    digits,
    setProfile: async (profile) => void (await call(sandbox, 'PUT', `phones/${digits}`, profile)),
    write: async (message) => void (await call(sandbox, 'POST', `phones/${digits}/messages`, message)),
    messages: async () => {
      const { messages } = await call<{ messages: ChatMessage[] }>(sandbox, 'GET', `phones/${digits}/messages`);
      return messages.filter(({ direction }) => direction === 'to_phone');
    },
    openUnread: async () => void (await call(sandbox, 'POST', `phones/${digits}/read`, {})),
  };
}

/** Uploads a file to the sandbox for a phone to send and returns its URL. */
export async function uploadFile({ url }: Sandbox, name: string, bytes: Buffer, mime: string): Promise<string> {
  const response = await fetch(`${url}/api/files?name=${name}`, {
    method: 'POST',
    headers: { 'content-type': mime },
    body: new Uint8Array(bytes),
  });
  if (!response.ok) throw new Error(`The sandbox rejected the file: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { url: string }).url;
}

/** Returns the Viber types of the messages sent to a number. Types starting with 3 belong to a conversation. */
export const viberTypes = async (sandbox: Sandbox, to: string): Promise<number[]> =>
  (await call<{ messages: { type: number }[] }>(sandbox, 'GET', `viber/messages?to=${to}`)).messages.map(
    ({ type }) => type,
  );

/** Waits until every message near the view has the status. Consecutive messages share one mark. */
export async function expectStatus(thread: Locator, status: 'Delivered' | 'Read', timeout = 30_000): Promise<void> {
  const pending = ['Accepted', 'Queued', 'Sending', 'En route', 'Sent', ...(status === 'Read' ? ['Delivered'] : [])];
  const name = new RegExp(`^(${pending.join('|')})$`);
  await expect(thread.getByRole('img', { name })).toHaveCount(0, { timeout });
  await expect(thread.getByRole('img', { name: status }).last()).toBeVisible({ timeout });
}

/** Opens the messages on the phone. A message that arrives there after the thread shows it is opened the next time. */
export const expectRead = (phone: ChatPhone, thread: Locator): Promise<void> =>
  expect(async () => {
    await phone.openUnread();
    await expectStatus(thread, 'Read', 2_000);
  }).toPass({ timeout: 30_000 });
