import { createMessage } from '@parley/contract/messages/messages.ts';
import { expect, test } from 'vitest';
import {
  addStep,
  canAddStep,
  changeStep,
  type FallbackStep,
  freeChannels,
  moveStep,
  stepFindings,
  toFallbacks,
} from './fallback_steps.ts';

const WAIT = { wait: 30, unit: 'seconds' } as const;
const content = { text: 'Your order is ready' };
const makeSteps = (): FallbackStep[] => {
  const [first] = addStep('WHATSAPP', [], WAIT);
  const steps = addStep('WHATSAPP', [first!], WAIT);
  return steps.map((step) => ({ ...step, from: 'Harbour' }));
};
const problems = (steps: readonly FallbackStep[], message = content) =>
  stepFindings('WHATSAPP', steps, message).map((finding) => `${finding.field}: ${finding.message}`);

test('a new step uses the best unused channel until all channels are used', () => {
  const steps = makeSteps();
  expect(steps.map(({ channel }) => channel)).toEqual(['VIBER', 'SMS']);
  expect(canAddStep('WHATSAPP', steps)).toBe(false);
  expect(freeChannels('SMS', [])).toEqual(['WHATSAPP', 'VIBER']);
  expect(addStep('WHATSAPP', steps, WAIT)).toEqual(steps);
  const moved = moveStep(steps, 1, -1);
  expect(moved.map(({ channel }) => channel)).toEqual(['SMS', 'VIBER']);
  expect(moveStep(moved, 0, -1)).toEqual(moved);
});

test('steps convert to API fallbacks with a wait unless a failure triggers them', () => {
  let steps = makeSteps();
  steps = changeStep(steps, steps[0]!.key, {
    wait: 2,
    unit: 'minutes',
    trigger: 'unread',
    source: 'other',
    text: ' Ready! ',
  });
  steps = changeStep(steps, steps[1]!.key, { trigger: 'failed' });
  const fallbacks = toFallbacks(steps, content);
  expect(fallbacks).toEqual([
    { channel: 'VIBER', from: 'Harbour', text: 'Ready!', trigger: 'unread', wait_seconds: 120 },
    { channel: 'SMS', from: 'Harbour', text: content.text, trigger: 'failed' },
  ]);
  const body = { from: 'x', to: ['4917604069077'], channel: 'WHATSAPP', text: 'x', fallbacks };
  expect(createMessage.body!.safeParse(body).success).toBe(true);
  expect(problems(steps)).toEqual([]);
  const template = { template: '0197a5f0-0000-7000-8000-0000000000ac', variables: ['Ada'], text: 'Hello Ada' };
  steps = changeStep(steps, steps[1]!.key, { source: 'template', template });
  expect(toFallbacks(steps, content)[1]).toEqual({
    ...{ channel: 'SMS', from: 'Harbour', trigger: 'failed' },
    ...{ template: template.template, variables: ['Ada'] },
  });
});

test.each<[string, (steps: FallbackStep[]) => FallbackStep[], string]>([
  ['the sender is missing', ([first]) => [{ ...first!, from: ' ' }], 'fallbacks.0.from'],
  ['the wait is missing', ([first]) => [{ ...first!, wait: '' }], 'fallbacks.0.wait_seconds'],
  ['the wait is too short', ([first]) => [{ ...first!, wait: 29 }], 'fallbacks.0.wait_seconds'],
  ['the wait is too long', ([first]) => [{ ...first!, wait: 25, unit: 'hours' }], 'fallbacks.0.wait_seconds'],
  [
    'the waits exceed the validity period',
    (steps) => steps.map((step) => ({ ...step, wait: 13, unit: 'hours' })),
    'fallbacks.1.wait_seconds',
  ],
  ['a step uses the channel of the message', ([first]) => [{ ...first!, channel: 'WHATSAPP' }], 'fallbacks.0.channel'],
  [
    'two steps use the same channel',
    ([first, second]) => [first!, { ...second!, channel: 'VIBER' }],
    'fallbacks.1.channel',
  ],
  [
    'a step after an SMS waits for it to be read',
    ([first, second]) => [second!, { ...first!, trigger: 'unread' }],
    'fallbacks.1.trigger',
  ],
  ['the text is missing', ([first]) => [{ ...first!, source: 'other', text: ' ' }], 'fallbacks.0.text'],
  ['the text is too long', ([first]) => [{ ...first!, source: 'other', text: 'a'.repeat(1_001) }], 'fallbacks.0.text'],
  ['the template is missing', ([first]) => [{ ...first!, source: 'template' }], 'fallbacks.0.template'],
])('a finding appears at its field when %s', (_, change, field) => {
  const fields = stepFindings('WHATSAPP', change(makeSteps()), content).map((finding) => finding.field);
  expect(new Set(fields)).toEqual(new Set([field]));
});

test('each step that reuses the message text has a finding when that text is empty', () => {
  expect(problems(makeSteps(), { text: '' })).toHaveLength(2);
  expect(stepFindings('SMS', [], { text: '' })).toEqual([]);
});
