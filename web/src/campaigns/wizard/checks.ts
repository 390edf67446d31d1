/** What each step of the wizard demands before the next one, and where an answer of the API belongs. */

import { listCampaigns } from '@parley/contract/campaigns/campaigns.ts';
import { segmentCount, unknownVariables } from '@parley/contract/channels/sms/text.ts';
import { MAX_SEGMENTS, MAX_TEXT } from '@parley/contract/messages/messages.ts';
import type { Sender } from '@parley/contract/senders/senders.ts';
import { ApiError, call } from '../../kernel/http/client.ts';
import type { Draft } from './draft.ts';

export const STEPS = [
  { key: 'setup', label: 'Setup' },
  { key: 'message', label: 'Message' },
  { key: 'review', label: 'Review and send' },
] as const;
export type StepKey = (typeof STEPS)[number]['key'];

export interface Fault {
  key: string;
  text: string;
  step: StepKey;
}

const fault = (step: StepKey, key: string, text: string): Fault => ({ step, key, text });

export function setupFaults(draft: Draft, senders: readonly Sender[] | undefined): Fault[] {
  const found: Fault[] = [];
  if (!draft.sender_id || senders?.every(({ id }) => id !== draft.sender_id))
    found.push(fault('setup', 'sender', 'Choose a sender.'));
  if (!draft.audience_id) found.push(fault('setup', 'audience', 'Choose an audience.'));
  return found;
}

export function messageFaults({ text }: Draft): Fault[] {
  if (text.trim() === '') return [fault('message', 'text', 'Write the message.')];
  if (text.length > MAX_TEXT)
    return [fault('message', 'long', `The message is ${text.length - MAX_TEXT} characters too long.`)];
  const unknown = unknownVariables(text);
  if (unknown.length > 0)
    return [fault('message', 'unknown', `Nobody will fill ${unknown.map((name) => `{${name}}`).join(', ')}.`)];
  if (segmentCount(text) > MAX_SEGMENTS)
    return [fault('message', 'segments', `The message has more than ${MAX_SEGMENTS} segments.`)];
  return [];
}

/** A name is used once; better to hear it here than after everything else. */
export async function nameFault(name: string, own_id: string | null): Promise<Fault[]> {
  const wanted = name.trim().toLowerCase();
  if (!wanted) return [];
  try {
    const { data } = await call(listCampaigns, { query: { page_size: 100, filter: { search: name.trim() } } });
    const taken = data.some((one) => one.id !== own_id && one.name.toLowerCase() === wanted);
    return taken ? [fault('setup', 'name', 'A campaign with this name exists. Choose another name.')] : [];
  } catch {
    // The last step asks again.
    return [];
  }
}

const STEP_OF_FIELD: Record<string, StepKey> = {
  name: 'setup',
  from: 'setup',
  audience: 'setup',
  validity_seconds: 'setup',
  text: 'message',
};

export function faultsOf(error: unknown): Fault[] {
  if (!(error instanceof ApiError)) return [fault('review', 'unknown', String(error))];
  if (error.errors.length === 0) return [fault('review', 'unreached', error.message)];
  return error.errors.map((one) =>
    fault(STEP_OF_FIELD[one.field ?? ''] ?? 'review', `${one.code}`, `${one.message.replace(/\.$/, '')}.`),
  );
}
