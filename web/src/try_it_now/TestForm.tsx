/** What is tested: from what to which of one's own phones, the words, and the other ways they go; the phones beside it show what came of it. */
import { Button, Textarea, TextInput } from '@mantine/core';
import { channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { MAX_RECIPIENTS } from '@parley/contract/messages/messages.ts';
import { TEST_SENDER, type TryItNow } from '@parley/contract/messages/try_it_now.ts';
import { IconSend2 } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { AttachTools, type Tool } from '../channels/compose/AttachTools.tsx';
import { callBody, type ReplyBody } from '../channels/compose/reply_body.ts';
import { FallbackFields } from '../channels/fallbacks/FallbackFields.tsx';
import { fallbacksOf, type Offer, type Way, wayFindings, withSenders } from '../channels/fallbacks/ways.ts';
import { focusFirst, useFieldErrors } from '../channels/field_errors.ts';
import { counterOf } from '../channels/sms/reading.ts';
import { useSession } from '../kernel/session/session.tsx';
import { MessageTimeline } from '../messages/MessageTimeline.tsx';
import { SenderSelect } from '../senders/SenderSelect.tsx';
import { formatCount } from '../ui/data/format.ts';
import { PhoneNumber } from '../ui/data/PhoneNumber.tsx';
import { parsePhone, usePhone } from '../ui/data/phone.ts';
import { Notice } from '../ui/feedback/Notice.tsx';
import { offerLabel, useOffers } from './offers.ts';
import { Snippet } from './Snippet.tsx';
import styles from './TryItNow.module.css';
import { useTest } from './useTest.ts';
import { type PhoneWay, WayPhones } from './WayPhones.tsx';

const TemplateDialog = lazy(() => import('../channels/compose/TemplateDialog.tsx'));
const ButtonsDialog = lazy(() => import('../channels/compose/ButtonsDialog.tsx'));
const AttachDialog = lazy(() => import('../channels/compose/AttachDialog.tsx'));

const GREETING = 'Hello from {company}! This is how our messages will look.';
const LATER: Record<ChannelName, string | null> = {
  SMS: null,
  WHATSAPP:
    'WhatsApp lets a business write first with a template only. Once you answer on your phone, anything goes for 24 hours.',
  VIBER: 'Until you write first, what you send goes as a promotional message.',
};
/** The shortest there is: whoever tries it looks on. */
const WAIT = { wait: 30, unit: 'seconds' } as const;

export function TestForm({ channel, state }: { channel: ChannelName; state: TryItNow }) {
  const { account } = useSession();
  const { senders, numbers, blockers, notes, left, limit } = state;
  // The first of its own, and what is lent; the others are looked for.
  const offered = senders.filter((one, at) => at === 0 || one.lent);
  const [sender, setSender] = useState<{ id: string; code: string } | null>(senders[0] ?? null);
  const from = sender?.id ?? '';
  const first = usePhone(numbers[0]?.number ?? '').text;
  const [typed, setTo] = useState<string | null>(null);
  const to = typed ?? first;
  const [text, setText] = useState(() => GREETING.replace('{company}', account.company_name));
  const [written, setWritten] = useState<Way[]>([]);
  const [dialog, setDialog] = useState<Tool | null>(null);
  const offers = useOffers();
  const ways = withSenders(written, offers);
  const people = to
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean);
  const test = useTest(people[0] ?? '');
  const form = useFieldErrors<HTMLFormElement>(wayFindings(channel, ways, { text }));
  const { max_text } = channelRules(channel);
  const over = text.length > max_text;
  const closed = blockers.length > 0 || !sender;

  const send = async (body: ReplyBody) => {
    const wrong = wayFindings(channel, ways, body);
    if (wrong.length > 0) {
      // Of a file or a template the words may be wrong for a way where those in the box are not.
      test.refuse(wrong);
      form.demand();
      return focusFirst(
        form.ref.current,
        wrong.map(({ field }) => field),
      );
    }
    const others = ways.length > 0 ? { fallbacks: fallbacksOf(ways, body) } : {};
    await test.send({ from, to: people.map(dialled), channel, ...callBody(body), ...others, test: true });
  };
  const said = (field: string) =>
    test.problems
      .filter((one) => one.field === field)
      .map(({ message }) => message)
      .join(' ');
  const placed = ['to', 'text', 'from'];
  const elsewhere = test.problems.filter(
    ({ field }) => !field || (!placed.includes(field) && !field.startsWith('fallbacks')),
  );
  const addressee = { channel, sender: sender?.code ?? '', contact_name: '', profile_name: '' };
  const close = () => setDialog(null);
  const sendOne = (body: ReplyBody) => void send(body);
  const digits = people[0]?.replace(/\D/g, '');
  return (
    <div className={styles.sides}>
      <form
        ref={form.ref}
        className={styles.form}
        noValidate
        onBlur={form.onBlur}
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
        <SenderSelect
          label="From"
          filter={{ channel, statuses: 'approved,available' }}
          standalone
          extraOptions={offered.map((one) => ({ value: one.id, label: offerLabel(one) }))}
          value={sender?.id ?? null}
          disabled={senders.length === 0}
          onChange={(id, found) => setSender(found ?? senders.find((one) => one.id === id) ?? null)}
          error={said('from')}
        />
        <TextInput
          label="To"
          description={`Your confirmed numbers, separated by commas; ${MAX_RECIPIENTS} at most.`}
          value={to}
          inputMode="tel"
          onChange={(event) => setTo(event.currentTarget.value)}
          error={
            said('to') || (people.length > MAX_RECIPIENTS ? `At most ${MAX_RECIPIENTS} recipients are allowed` : null)
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
                  onClick={() => setTo([...people, parsePhone(number).text].join(', '))}
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
          error={over ? `At most ${max_text.toLocaleString('en-US')} characters` : said('text')}
          {...(LATER[channel] ? { description: LATER[channel] } : {})}
        />
        <span className={styles.counter} data-over={over || undefined}>
          {channel === 'SMS' ? counterOf(text, text, max_text) : `${text.length}/${max_text}`}
        </span>
        <FallbackFields
          channel={channel}
          words={{ text }}
          ways={ways}
          onChange={(next) => {
            setWritten(next);
            test.refuse();
          }}
          offers={offers}
          errorOf={(field) => said(field) || form.errorOf(field)}
          wait={WAIT}
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
            buttons="Add buttons"
            onPress={setDialog}
            hidesTemplates={from === TEST_SENDER}
          />
          <span className={styles.left}>{`${formatCount(left, 'free test')} of ${limit} left today`}</span>
          <Button
            type="submit"
            loading={test.sending}
            disabled={closed || people.length === 0 || text.trim() === '' || over}
            rightSection={<IconSend2 size={15} aria-hidden />}
          >
            Send test
          </Button>
        </div>
      </form>
      <WayPhones
        key={test.story?.id ?? 'none'}
        ways={[{ channel, sender: sender?.code ?? '', draft: text }, ...ways.map((way) => phoneOf(way, offers, text))]}
        legs={test.story?.fallbacks ?? []}
        tested={test.tested}
        address={state.phones_url && digits ? `${state.phones_url}/#/phones/${digits}` : null}
      />
      <div className={styles.after}>
        {test.story && (
          <section className={styles.snippet} aria-label="The story of this message">
            <h2 className={styles.name}>What happened</h2>
            <MessageTimeline message={test.story} />
          </section>
        )}
        {test.request && <Snippet body={test.request} />}
      </div>
      <Suspense>
        {dialog === 'template' ? (
          <TemplateDialog conversation={addressee} title="Use a template" onSend={sendOne} onClose={close} />
        ) : dialog === 'buttons' ? (
          <ButtonsDialog conversation={addressee} title="Add buttons" initial={text} onSend={sendOne} onClose={close} />
        ) : (
          dialog && <AttachDialog type={dialog} conversation={addressee} onSend={sendOne} onClose={close} />
        )}
      </Suspense>
    </div>
  );
}

/** As it is sent: without what makes it readable. */
const dialled = (number: string): string => (number.startsWith('+') ? number.replace(/\D/g, '') : number);

function phoneOf(way: Way, offers: Readonly<Record<ChannelName, Offer>>, text: string): PhoneWay {
  const { channel, from, says } = way;
  const sender = offers[channel].senders.find(({ value }) => value === from)?.code ?? '';
  return { channel, sender, draft: says === 'same' ? text : says === 'other' ? way.text : (way.template?.text ?? '') };
}
