/** Validates the steps of the wizard, and assigns API errors to the steps. */

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

export interface StepProblem {
  key: string;
  text: string;
  step: StepKey;
}

const stepProblem = (step: StepKey, key: string, text: string): StepProblem => ({ step, key, text });

export function checkSetup(draft: Draft, senders: readonly Sender[] | undefined): StepProblem[] {
  const problems: StepProblem[] = [];
  if (!draft.sender_id || senders?.every(({ id }) => id !== draft.sender_id))
    problems.push(stepProblem('setup', 'sender', 'Select a sender.'));
  if (!draft.audience_id) problems.push(stepProblem('setup', 'audience', 'Select an audience.'));
  return problems;
}

export function checkMessage({ text }: Draft): StepProblem[] {
  if (text.trim() === '') return [stepProblem('message', 'text', 'Enter a message.')];
  if (text.length > MAX_TEXT)
    return [stepProblem('message', 'long', `The message is ${text.length - MAX_TEXT} characters too long.`)];
  const unknown = unknownVariables(text);
  if (unknown.length > 0)
    return [
      stepProblem(
        'message',
        'unknown',
        `Unknown ${unknown.length === 1 ? 'variable' : 'variables'} ${unknown.map((name) => `{${name}}`).join(', ')}.`,
      ),
    ];
  if (segmentCount(text) > MAX_SEGMENTS)
    return [stepProblem('message', 'segments', `The message has more than ${MAX_SEGMENTS} segments.`)];
  return [];
}

/**
 * Campaign names are unique. The first step checks the name, so that the last step does not fail because of a
 * duplicate.
 */
export async function checkName(name: string, own_id: string | null): Promise<StepProblem[]> {
  const requested = name.trim().toLowerCase();
  if (!requested) return [];
  try {
    const { data } = await call(listCampaigns, { query: { page_size: 100, filter: { search: name.trim() } } });
    const taken = data.some((row) => row.id !== own_id && row.name.toLowerCase() === requested);
    return taken
      ? [stepProblem('setup', 'name', 'A campaign with this name already exists. Choose another name.')]
      : [];
  } catch {
    // The last step checks the name again.
    return [];
  }
}

const FIELD_STEPS: Record<string, StepKey> = {
  name: 'setup',
  from: 'setup',
  audience: 'setup',
  validity_seconds: 'setup',
  text: 'message',
};

export function toStepProblems(error: unknown): StepProblem[] {
  if (!(error instanceof ApiError)) return [stepProblem('review', 'unknown', String(error))];
  if (error.errors.length === 0) return [stepProblem('review', 'unreached', error.message)];
  return error.errors.map((one) =>
    stepProblem(FIELD_STEPS[one.field ?? ''] ?? 'review', `${one.code}`, `${one.message.replace(/\.$/, '')}.`),
  );
}
