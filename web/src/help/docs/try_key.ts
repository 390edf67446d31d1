/** The test key for calls from the documentation. It is kept in memory, for the session in which it was entered. */
import { DEFAULT_CHANNEL } from '@parley/contract/channels/names.ts';
import { createKey, SCOPE_PRESETS } from '@parley/contract/keys/keys.ts';
import { call } from '../../kernel/http/client.ts';
import { readToken } from '../../kernel/http/token.ts';

interface Kept {
  token: string | null;
  key: string;
  /** The code of a sender of the company, for examples; null if it is unknown. */
  sender: string | null;
}

let kept: Kept | null = null;

export const keptTestKey = (): Pick<Kept, 'key' | 'sender'> =>
  kept?.token === readToken() ? kept : { key: '', sender: null };

export function keepTestKey(key: string): void {
  if (keptTestKey().key !== key) kept = { token: readToken(), key, sender: null };
}

/** Throws an ApiError, for example if the user has no permission to create keys. */
export async function createTestKey(): Promise<Pick<Kept, 'key' | 'sender'>> {
  const { permissions } = SCOPE_PRESETS.messages!;
  const { data } = await call(createKey, { body: { name: 'Documentation', test: true, permissions } });
  kept = { token: readToken(), key: data.key, sender: await findOwnSender(data.key) };
  return kept;
}

async function findOwnSender(key: string): Promise<string | null> {
  try {
    const response = await fetch('/v1/senders?page_size=10', { headers: { 'x-api-key': key }, credentials: 'omit' });
    const { data } = (await response.json()) as { data: { code: string; channel: string; status: string }[] };
    return data.find(({ channel, status }) => channel === DEFAULT_CHANNEL && status === 'available')?.code ?? null;
  } catch {
    // The example keeps its own sender.
    return null;
  }
}
