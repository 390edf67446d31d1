/** The test form's values and problems, and the function that sends the test. */
import { channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import type { TryItNow } from '@parley/contract/messages/try_it_now.ts';
import { textLength } from '@parley/contract/text_length.ts';
import { useState } from 'react';
import { callBody, type ReplyBody } from '../channels/compose/reply_body.ts';
import {
  type FallbackStep,
  type SenderOptions,
  stepFindings,
  toFallbacks,
  withSenders,
} from '../channels/fallbacks/fallback_steps.ts';
import { focusFirst, useFieldErrors } from '../channels/field_errors.ts';
import { useSession } from '../kernel/session/session.tsx';
import { usePhone } from '../ui/data/phone.ts';
import type { PhoneStep } from './StepPhones.tsx';
import { useSenderOptions } from './sender_options.ts';
import { useOpening } from './useOpening.ts';
import { useTest } from './useTest.ts';

const GREETING = 'Hello from {company}! This is how our messages will look.';
/** Fields that show their own errors; other errors are shown below the form. */
const FIELDS = ['to', 'text', 'from'];

export type TestForm = ReturnType<typeof useTestForm>;

export function useTestForm(channel: ChannelName, state: TryItNow) {
  const { account } = useSession();
  const { senders, numbers, blockers } = state;
  const [sender, setSender] = useState<{ id: string; code: string } | null>(senders[0] ?? null);
  const ownPhone = usePhone(numbers[0]?.number ?? '').text;
  const [typedTo, setTo] = useState<string | null>(null);
  const to = typedTo ?? ownPhone;
  const [text, setText] = useState(() => GREETING.replace('{company}', account.company_name));
  const [ownSteps, setOwnSteps] = useState<FallbackStep[]>([]);
  const options = useSenderOptions();
  const steps = withSenders(ownSteps, options);
  const recipients = splitRecipients(to);
  const test = useTest(recipients[0] ?? '');
  const hasReplied = test.messages.on(channel).some(({ direction }) => direction === 'MO');
  const opening = useOpening(channel, sender, hasReplied);
  const content = opening.body ?? { text };
  const errors = useFieldErrors<HTMLFormElement>(stepFindings(channel, steps, content));
  const { max_text } = channelRules(channel);

  const send = async (body: ReplyBody) => {
    const findings = stepFindings(channel, steps, body);
    if (findings.length > 0) {
      // The content from a dialog can be invalid for a step even if the form's text is valid for it.
      test.setProblems(findings);
      errors.validate();
      return focusFirst(
        errors.ref.current,
        findings.map(({ field }) => field),
      );
    }
    const fallbacks = steps.length > 0 ? { fallbacks: toFallbacks(steps, body) } : {};
    const from = sender?.id ?? '';
    await test.send({ from, to: recipients.map(toDigits), channel, ...callBody(body), ...fallbacks, test: true });
  };
  const problemText = (field: string) =>
    test.problems
      .filter((problem) => problem.field === field)
      .map(({ message }) => message)
      .join(' ');
  return {
    ...{ channel, state, sender, setSender, to, setTo, recipients, text, setText, max_text, options, steps },
    ...{ test, errors, send, problemText, opening, content },
    setSteps: (next: FallbackStep[]) => {
      setOwnSteps(next);
      test.setProblems([]);
    },
    isTooLong: opening.kind === 'free' && textLength(text) > max_text,
    isClosed: blockers.length > 0 || !sender,
    /** The form has something to send. */
    isReady: opening.kind === 'free' ? text.trim() !== '' : opening.kind === 'template',
    otherProblems: test.problems.filter(
      ({ field }) => !field || (!FIELDS.includes(field) && !field.startsWith('fallbacks')),
    ),
    /** The phones in the preview: the message itself first, then its steps. */
    phones: [
      { channel, sender: sender?.code ?? '', draft: content.text },
      ...steps.map((step) => toPhone(step, options, content.text)),
    ],
  };
}

const splitRecipients = (to: string): string[] =>
  to
    .split(',')
    .map((number) => number.trim())
    .filter(Boolean);

/** Strips the formatting from an international number. Other input is left unchanged, so that the server rejects it. */
const toDigits = (number: string): string => (number.startsWith('+') ? number.replace(/\D/g, '') : number);

function toPhone(
  step: FallbackStep,
  options: Readonly<Record<ChannelName, SenderOptions>>,
  messageText: string,
): PhoneStep {
  const { channel, from, source, text, template } = step;
  const sender = options[channel].senders.find(({ value }) => value === from)?.code ?? '';
  const drafts = { same: messageText, other: text, template: template?.text ?? '' };
  return { channel, sender, draft: drafts[source] };
}
