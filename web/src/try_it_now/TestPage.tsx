/** One channel tried: what is sent and to which of one's own phones on the left, the phone with all that comes and goes on the right. */
import { Button, Select, Textarea, TextInput } from '@mantine/core';
import { channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/common.ts';
import { createMessage, MAX_RECIPIENTS } from '@parley/contract/messages.ts';
import { getTryItNow, LENT_SENDER, type TryItNow } from '@parley/contract/try_it_now.ts';
import { IconArrowLeft, IconExternalLink, IconSend2 } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { AttachTools, type Tool } from '../inbox/AttachTools.tsx';
import { callBody, type ReplyBody } from '../inbox/reply_body.ts';
import { ApiError, call } from '../kernel/client.ts';
import { queryClient, useEndpoint } from '../kernel/query.ts';
import { randomId } from '../kernel/random.ts';
import { useSession } from '../kernel/session.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { formatCount } from '../ui/format.ts';
import { Notice } from '../ui/Notice.tsx';
import { PageBones } from '../ui/PageBones.tsx';
import { PageHeader } from '../ui/PageHeader.tsx';
import { PhoneNumber } from '../ui/PhoneNumber.tsx';
import { Snippet } from './Snippet.tsx';
import { TestPhone } from './TestPhone.tsx';
import styles from './TryItNow.module.css';
import { useTested } from './tested.ts';

const TemplateDialog = lazy(() => import('../inbox/TemplateDialog.tsx'));
const AttachDialog = lazy(() => import('../inbox/AttachDialog.tsx'));

export function TestPage({ channel }: { channel: ChannelName }) {
  const answer = useEndpoint(getTryItNow, { params: { channel } }, { staleTime: 0 });
  const state = answer.data?.data;
  const { label } = channelRules(channel);
  return (
    <>
      <Button
        className={styles.back}
        component={Link}
        to="/try-it-now"
        variant="subtle"
        size="compact-sm"
        leftSection={<IconArrowLeft size={15} aria-hidden />}
      >
        All channels
      </Button>
      <PageHeader
        title={`Try ${label} now`}
        line="To your own phone, free of charge. What arrives is shown beside it."
      />
      {state ? (
        <Test key={channel} channel={channel} state={state} />
      ) : answer.error ? (
        <ErrorState title="It cannot be tried at the moment" onRetry={() => void answer.refetch()}>
          {answer.error.message}
        </ErrorState>
      ) : (
        <PageBones />
      )}
    </>
  );
}

const GREETING = 'Hello from {company}! This is how our messages will look.';
const LATER: Record<ChannelName, string | null> = {
  SMS: null,
  WHATSAPP:
    'WhatsApp lets a business write first with a template only. Once you answer on your phone, anything goes for 24 hours.',
  VIBER: 'Until you write first, what you send goes as a promotional message.',
};

function Test({ channel, state }: { channel: ChannelName; state: TryItNow }) {
  const { account } = useSession();
  const { senders, numbers, blockers, notes, left, limit } = state;
  const [from, setFrom] = useState(senders[0]?.id ?? '');
  const [to, setTo] = useState(numbers[0]?.number ?? '');
  const [text, setText] = useState(() => GREETING.replace('{company}', account.company_name));
  const [dialog, setDialog] = useState<Tool | null>(null);
  const [problems, setProblems] = useState<{ field: string | null; message: string }[]>([]);
  const [sending, setSending] = useState(false);
  const [last, setLast] = useState<Record<string, unknown> | null>(null);
  const people = to
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean);
  const tested = useTested(channel, people[0] ?? '');
  const sender = senders.find(({ id }) => id === from) ?? null;
  const closed = blockers.length > 0 || !sender;

  const send = async (body: ReplyBody) => {
    const request = { from, to: people, channel, ...callBody(body), test: true };
    setSending(true);
    setProblems([]);
    try {
      const { data } = await call(createMessage, { body: request }, { idempotency_key: randomId() });
      tested.add(data);
      setLast(request);
    } catch (error) {
      const said = error instanceof ApiError ? error.errors : [];
      setProblems(
        said.length > 0
          ? said.map(({ field, message }) => ({ field: field ?? null, message }))
          : [{ field: null, message: error instanceof Error ? error.message : 'The test could not be sent.' }],
      );
    } finally {
      setSending(false);
      void queryClient.invalidateQueries({ queryKey: ['try_it_now'] });
    }
  };
  const wrong = (field: string) =>
    problems
      .filter((one) => one.field === field)
      .map(({ message }) => message)
      .join(' ');
  const elsewhere = problems.filter(({ field }) => field !== 'to' && field !== 'text' && field !== 'from');
  const addressee = { channel, sender: sender?.code ?? '', contact_name: '', profile_name: '' };
  return (
    <div className={styles.sides}>
      <form
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void send({ text: text.trim() });
        }}
      >
        {blockers.map(({ code, text: words, path }) => (
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
            {words}
          </Notice>
        ))}
        {notes.map(({ number, text: words }) => (
          <Notice key={number} tone="wait">
            <PhoneNumber value={number} />: {words}
          </Notice>
        ))}
        <Select
          label="From"
          data={senders.map(({ id, name, code, lent }) => ({
            value: id,
            label: lent ? `${code} (lent for trying)` : `${name} (${code})`,
          }))}
          value={from}
          allowDeselect={false}
          disabled={senders.length === 0}
          onChange={(value) => setFrom(value ?? '')}
          error={wrong('from')}
        />
        <TextInput
          label="To"
          description={`Your confirmed numbers, separated by commas; ${MAX_RECIPIENTS} at most.`}
          value={to}
          inputMode="tel"
          onChange={(event) => setTo(event.currentTarget.value)}
          error={
            wrong('to') || (people.length > MAX_RECIPIENTS ? `At most ${MAX_RECIPIENTS} recipients are allowed` : null)
          }
        />
        {numbers.length > 1 && (
          <div className={styles.chips}>
            {numbers
              .filter(({ number }) => !people.some((one) => one.replace(/\D/g, '') === number))
              .map(({ number }) => (
                <Button
                  key={number}
                  size="compact-xs"
                  variant="default"
                  onClick={() => setTo([...people, number].join(', '))}
                >
                  <PhoneNumber value={number} />
                </Button>
              ))}
          </div>
        )}
        <Textarea
          label="Message"
          autosize
          minRows={3}
          maxRows={8}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          error={wrong('text')}
          {...(LATER[channel] ? { description: LATER[channel] } : {})}
        />
        {elsewhere.map(({ message }) => (
          <p key={message} className={styles.problem} role="alert">
            {message}
          </p>
        ))}
        <div className={styles.feet}>
          <AttachTools
            channel={channel}
            reason={closed ? (blockers[0]?.text ?? 'There is no sender to test with.') : null}
            freeReason={null}
            template="Use a template"
            onPress={setDialog}
            hidesTemplates={from === LENT_SENDER}
          />
          <span className={styles.left}>{`${formatCount(left, 'free test')} of ${limit} left today`}</span>
          <Button
            type="submit"
            loading={sending}
            disabled={closed || people.length === 0 || text.trim() === ''}
            rightSection={<IconSend2 size={15} aria-hidden />}
          >
            Send test
          </Button>
        </div>
        {last && <Snippet body={last} />}
      </form>
      <div className={styles.phone}>
        <TestPhone channel={channel} sender={sender?.code ?? ''} messages={tested.messages} draft={text} />
        {state.phones_url && people[0] && (
          <Button
            component="a"
            variant="default"
            size="xs"
            target="_blank"
            rel="noopener noreferrer"
            href={`${state.phones_url}/#/phones/${people[0].replace(/\D/g, '')}`}
            rightSection={<IconExternalLink size={14} aria-hidden />}
          >
            Open the virtual phone and answer
          </Button>
        )}
      </div>
      <Suspense>
        {dialog === 'template' ? (
          <TemplateDialog
            conversation={addressee}
            title="Use a template"
            onSend={(body) => void send(body)}
            onClose={() => setDialog(null)}
          />
        ) : (
          dialog && (
            <AttachDialog
              type={dialog}
              conversation={addressee}
              onSend={(body) => void send(body)}
              onClose={() => setDialog(null)}
            />
          )
        )}
      </Suspense>
    </div>
  );
}
