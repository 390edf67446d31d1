/** Validates the steps of the wizard, and assigns API errors to the steps. */

import { listCampaigns } from '@parley/contract/campaigns/campaigns.ts';
import { channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { fewestSegments } from '@parley/contract/channels/sms/profile.ts';
import { unknownVariables } from '@parley/contract/channels/sms/text.ts';
import { linkFindings, withSampleLinks } from '@parley/contract/links/inline.ts';
import { MAX_SEGMENTS, MAX_TEXT } from '@parley/contract/messages/messages.ts';
import type { Sender } from '@parley/contract/senders/senders.ts';
import { textLength } from '@parley/contract/text_length.ts';
import { ApiError, call } from '../../kernel/http/client.ts';
import { contentFindings, usesTemplate } from './content/content.ts';
import { fallbackFindings } from './content/fallbacks.ts';
import { type Draft, freeText, isForAll } from './draft.ts';

export const STEPS = [
  { key: 'setup', label: 'Setup' },
  { key: 'message', label: 'Message' },
  { key: 'review', label: 'Review and send' },
] as const;
export type StepKey = (typeof STEPS)[number]['key'];

export type StepField = 'name' | 'sender' | 'audience' | 'text' | 'template' | 'content' | 'fallbacks' | 'session_text';

export interface StepProblem {
  key: string;
  text: string;
  step: StepKey;
  /** The field that shows the text as its error. */
  field?: StepField;
}

const stepProblem = (step: StepKey, key: string, text: string): StepProblem => ({ step, key, text });
const MESSAGE_FIELDS: readonly StepField[] = ['text', 'template', 'content', 'fallbacks', 'session_text'];

const fieldProblem = (field: StepField, text: string): StepProblem => ({
  step: MESSAGE_FIELDS.includes(field) ? 'message' : 'setup',
  key: field,
  field,
  text,
});

export function checkSetup(draft: Draft, senders: readonly Sender[] | undefined): StepProblem[] {
  const problems: StepProblem[] = [];
  if (!draft.sender_id || senders?.every(({ id }) => id !== draft.sender_id))
    problems.push(fieldProblem('sender', 'Sender is required!'));
  if (!draft.audience_id && !isForAll(draft)) problems.push(fieldProblem('audience', 'Audience is required!'));
  return problems;
}

/** `fields` are the keys of the account's own fields for contacts. */
export function checkMessage(channel: ChannelName, draft: Draft, fields: readonly string[]): StepProblem[] {
  const problems = checkOwnMessage(channel, draft, fields);
  const [first] = fallbackFindings(channel, draft);
  return first ? [...problems, fieldProblem('fallbacks', first.message)] : problems;
}

function checkOwnMessage(channel: ChannelName, draft: Draft, fields: readonly string[]): StepProblem[] {
  if (usesTemplate(channel, draft)) return checkTemplateOrText(draft, fields);
  if (channelRules(channel).rich) {
    const [first] = contentFindings(channel, draft);
    if (first) return [fieldProblem('content', first.message)];
    return checkVariables(draft.text, fields);
  }
  const { text } = draft;
  if (text.trim() === '') return [fieldProblem('text', 'Text is required!')];
  const length = textLength(text);
  if (length > MAX_TEXT) return [fieldProblem('text', `The message is ${length - MAX_TEXT} characters too long`)];
  const unknown = checkVariables(text, fields);
  if (unknown.length > 0) return unknown;
  const [wrongLink] = linkFindings(text);
  if (wrongLink) return [fieldProblem('text', wrongLink.message)];
  if (fewestSegments(withSampleLinks(text, 'https://a.io')) > MAX_SEGMENTS)
    return [fieldProblem('text', `The message has more than ${MAX_SEGMENTS} segments`)];
  return [];
}

function checkTemplateOrText(draft: Draft, fields: readonly string[]): StepProblem[] {
  const text = freeText(draft);
  if (text !== null) return checkSessionText(text, fields);
  return draft.template_id === null ? [fieldProblem('template', 'Template is required!')] : [];
}

/** Without a template, people who have not written in the last 24 hours are skipped. */
function checkSessionText(text: string, fields: readonly string[]): StepProblem[] {
  if (text.trim() === '') return [fieldProblem('session_text', 'Text is required!')];
  const excess = textLength(text) - MAX_TEXT;
  if (excess > 0) return [fieldProblem('session_text', `The message is ${excess} characters too long`)];
  const unknown = checkVariables(text, fields, 'session_text');
  if (unknown.length > 0) return unknown;
  const [wrongLink] = linkFindings(text);
  return wrongLink ? [fieldProblem('session_text', wrongLink.message)] : [];
}

function checkVariables(text: string, fields: readonly string[], field: StepField = 'text'): StepProblem[] {
  const unknown = unknownVariables(text, fields);
  if (unknown.length === 0) return [];
  const names = unknown.map((name) => `{${name}}`).join(', ');
  return [fieldProblem(field, `Unknown ${unknown.length === 1 ? 'variable' : 'variables'} ${names}`)];
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
    return taken ? [fieldProblem('name', 'A campaign with this name already exists. Choose another name.')] : [];
  } catch {
    // The last step checks the name again.
    return [];
  }
}

const API_FIELDS: Readonly<Record<string, StepField>> = {
  name: 'name',
  from: 'sender',
  audience: 'audience',
  text: 'text',
  session_text: 'session_text',
  template: 'template',
  audience_ids: 'audience',
  variables: 'template',
  fallbacks: 'fallbacks',
  media_id: 'content',
  url: 'content',
  button: 'content',
  purpose: 'content',
};

export function toStepProblems(error: unknown): StepProblem[] {
  if (!(error instanceof ApiError)) return [stepProblem('review', 'unknown', String(error))];
  if (error.errors.length === 0) return [stepProblem('review', 'unreached', error.message)];
  return error.errors.map((one) => {
    const field = API_FIELDS[one.field?.split('.')[0] ?? ''];
    if (field) return fieldProblem(field, one.message.replace(/\.$/, ''));
    const step = one.field === 'validity_seconds' ? 'setup' : one.field?.startsWith('test.') ? 'message' : 'review';
    return stepProblem(step, `${one.code}`, `${one.message.replace(/\.$/, '')}.`);
  });
}
