/** The parts of the test form. */
import { Button, Textarea, TextInput } from '@mantine/core';
import { channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { withSampleLinks } from '@parley/contract/links/inline.ts';
import { MAX_RECIPIENTS } from '@parley/contract/messages/messages.ts';
import { TEST_SENDER, type TryItNow } from '@parley/contract/messages/try_it_now.ts';
import { IconSend2 } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { AttachTools, type Tool } from '../channels/compose/AttachTools.tsx';
import { isCountedInSegments, textCounter } from '../channels/counter.ts';
import { useSegmentation } from '../channels/sms/profile.ts';
import { CREATE_TEMPLATE } from '../paths.ts';
import { SenderSelect } from '../senders/SenderSelect.tsx';
import { formatCount } from '../ui/data/format.ts';
import { PhoneNumber } from '../ui/data/PhoneNumber.tsx';
import { parsePhone } from '../ui/data/phone.ts';
import { Disabled } from '../ui/feedback/Disabled.tsx';
import { Notice } from '../ui/feedback/Notice.tsx';
import { testSenderLabel } from './sender_options.ts';
import styles from './TryItNow.module.css';
import type { TestForm } from './useTestForm.ts';

interface Props {
  form: TestForm;
}

/** Why no test can be sent, and the requirements of individual numbers. */
export function Blockers({ state: { blockers, notes } }: { state: TryItNow }) {
  return (
    <>
      {blockers.map(({ code, text, path }) => (
        <Notice
          key={code}
          tone="wait"
          action={
            path && (
              <Button component={Link} to={path} size="xs" variant="default">
                Set it up
              </Button>
            )
          }
        >
          {text}
        </Notice>
      ))}
      {notes.map(({ number, text }) => (
        <Notice key={number} tone="wait">
          <PhoneNumber value={number} />: {text}
        </Notice>
      ))}
    </>
  );
}

export function SenderField({ form }: Props) {
  const { channel, sender, setSender, problemText } = form;
  const { senders } = form.state;
  // Offers the account's first sender and the shared one. The field's search finds the others.
  const offered = senders.filter(({ lent }, at) => at === 0 || lent);
  return (
    <SenderSelect
      label="From"
      filter={{ channel, statuses: 'approved,available' }}
      standalone
      extraOptions={offered.map((one) => ({ value: one.id, label: testSenderLabel(one) }))}
      value={sender?.id ?? null}
      disabled={senders.length === 0}
      onChange={(id, chosen) => setSender(chosen ?? senders.find((one) => one.id === id) ?? null)}
      error={problemText('from')}
    />
  );
}

export function RecipientsField({ form }: Props) {
  const { to, setTo, recipients, problemText } = form;
  const { numbers } = form.state;
  const isMissing = (number: string) => !recipients.some((one) => one.replace(/\D/g, '') === number);
  const problem = recipients.length > MAX_RECIPIENTS ? `At most ${MAX_RECIPIENTS} recipients are allowed` : null;
  return (
    <>
      <TextInput
        label="To"
        description={`Your verified numbers, separated by commas. At most ${MAX_RECIPIENTS}.`}
        value={to}
        inputMode="tel"
        onChange={(event) => setTo(event.currentTarget.value)}
        error={problemText('to') || problem}
      />
      {numbers.length > 1 && (
        <div className={styles.chips}>
          {numbers
            .filter(({ number }) => isMissing(number))
            .map(({ number }) => (
              <Button
                key={number}
                size="compact-xs"
                variant="default"
                onClick={() => setTo([...recipients, parsePhone(number).text].join(', '))}
              >
                <PhoneNumber value={number} />
              </Button>
            ))}
        </div>
      )}
    </>
  );
}

/** The kinds of messages allowed as a first message on the channel; null if unrestricted. */
function firstMessageHint(channel: ChannelName): string | null {
  const { label, session } = channelRules(channel);
  if (!session) return null;
  return session.outside === 'templates'
    ? `${label} requires a template for the first message. After you reply, you can send anything for ` +
        `${session.hours} hours.`
    : 'Until your first reply, messages are sent as promotional messages.';
}

export function MessageField({ form }: Props) {
  const { channel, text, setText, max_text, isTooLong, problemText, opening } = form;
  const hint = firstMessageHint(channel);
  const profile = useSegmentation(findNumber(form), isCountedInSegments(channel));
  if (opening.kind !== 'free') return <OpeningField form={form} hint={hint} />;
  return (
    <>
      <Textarea
        label="Message"
        autosize
        minRows={3}
        maxRows={8}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        error={isTooLong ? `At most ${max_text.toLocaleString('en-US')} characters` : problemText('text')}
        {...(hint ? { description: hint } : {})}
      />
      <span className={styles.counter} data-over={isTooLong || undefined}>
        {textCounter(channel, withSampleLinks(text, profile.link_prefix), max_text, profile)}
      </span>
    </>
  );
}

/** The number of the first recipient, if it is complete. */
const findNumber = ({ recipients, state }: TestForm): string | undefined =>
  state.numbers.find(({ number }) => number === recipients[0]?.replace(/\D/g, ''))?.number;

/** The first message, which must be a template. */
function OpeningField({ form, hint }: Props & { hint: string | null }) {
  const { opening, problemText, sender } = form;
  const write = (
    <Button size="compact-xs" variant="subtle" onClick={opening.write}>
      Write a text
    </Button>
  );
  if (opening.kind === 'none')
    return sender?.id === TEST_SENDER ? (
      <Notice tone="wait" action={write}>
        {hint} This shared sender has no templates: send any message from your phone to{' '}
        <PhoneNumber value={sender.code} /> first.
      </Notice>
    ) : (
      <Notice
        tone="wait"
        action={
          <Button component={Link} to={CREATE_TEMPLATE} size="xs" variant="default">
            Create template
          </Button>
        }
      >
        {hint} This sender has no approved template yet. {write}
      </Notice>
    );
  return (
    <div>
      <Textarea
        label="Message"
        autosize
        minRows={3}
        maxRows={8}
        readOnly
        value={opening.body?.text ?? ''}
        description={opening.name ? `Approved template “${opening.name}”. ${hint}` : hint}
        error={problemText('text') || problemText('template')}
      />
      {write}
    </div>
  );
}

/** Why the test cannot be sent yet; null if it can. */
function sendReason({ recipients, isReady, opening, isTooLong, isClosed, state }: TestForm): string | null {
  if (isClosed) return state.blockers[0]?.text ?? 'No sender is available for tests.';
  if (recipients.length === 0) return 'Enter one of your numbers';
  if (!isReady) return opening.kind === 'free' ? 'Enter a message' : 'The first message must be a template';
  return isTooLong ? 'The message is too long' : null;
}

export function TestFooter({ form, onTool }: Props & { onTool: (tool: Tool) => void }) {
  const { channel, sender, isClosed, test } = form;
  const { blockers, left, limit } = form.state;
  return (
    <div className={styles.feet}>
      <AttachTools
        channel={channel}
        reason={isClosed ? (blockers[0]?.text ?? 'No sender is available for tests.') : null}
        freeReason={null}
        template="Use a template"
        buttons="Add buttons"
        onPress={onTool}
        hidesTemplates={sender?.id === TEST_SENDER}
      />
      <span className={styles.left}>{`${left} of ${formatCount(limit, 'free test')} left today`}</span>
      <Disabled reason={sendReason(form)}>
        <Button type="submit" loading={test.sending} rightSection={<IconSend2 size={15} aria-hidden />}>
          Send test
        </Button>
      </Disabled>
    </div>
  );
}
