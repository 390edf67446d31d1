/** One of the other ways of a message: on what channel, from what, when it is taken, and what it says there. */
import { ActionIcon, Button, NumberInput, SegmentedControl, Select, Textarea, Tooltip } from '@mantine/core';
import { channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { TRIGGERS, type Trigger } from '@parley/contract/messages/fallbacks.ts';
import { IconArrowDown, IconArrowUp, IconTemplate, IconTrash } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { ChannelMark } from '../../ui/data/ChannelMark.tsx';
import type { ErrorOf } from '../field_errors.ts';
import styles from './Fallbacks.module.css';
import { channelBefore, freeChannels, type Offer, UNITS, type Unit, type Way, type Words } from './ways.ts';

const TemplateDialog = lazy(() => import('../compose/TemplateDialog.tsx'));

interface Props {
  first: ChannelName;
  ways: readonly Way[];
  at: number;
  words: Words;
  offers: Readonly<Record<ChannelName, Offer>>;
  /** By the name of the field within this way; '' is the way as a whole. */
  errorOf: ErrorOf;
  onChange: (part: Partial<Way>) => void;
  onMove: (by: -1 | 1) => void;
  onRemove: () => void;
}

const WHEN: Readonly<Record<Trigger, (channel: string) => string>> = {
  undelivered: (channel) => `${channel} has not delivered it`,
  unread: (channel) => `nobody has read it on ${channel}`,
  failed: (channel) => `${channel} refuses it or it fails`,
};
const SAYS = [
  { value: 'same', label: 'The same words' },
  { value: 'other', label: 'Other words' },
  { value: 'template', label: 'A template' },
] as const;
/** What has no field of its own here is said at the foot. */
const ELSEWHERE = ['', 'type', 'variables', 'button', 'purpose', 'media_id', 'url', 'file_name'];

export function WayFields(props: Props) {
  const { first, ways, at, words, offers, errorOf, onChange, onMove, onRemove } = props;
  const way = ways[at]!;
  const { channel, trigger, says } = way;
  const { label, session } = channelRules(channel);
  const before = channelRules(channelBefore(first, ways, at));
  const offer = offers[channel];
  const place = `fallbacks.${at}`;
  const others = ELSEWHERE.flatMap((field) => errorOf(field) ?? []);
  const borrowed = offer.borrowed.includes(way.from);
  const may = [channel, ...freeChannels(first, ways)];
  return (
    <div className={styles.fields} data-field={place}>
      <div className={styles.head}>
        <span className={styles.place}>{at + 2}.</span>
        <ChannelMark channel={channel} />
        <span className={styles.moves}>
          <Move by={-1} label={`Move ${label} up`} disabled={at === 0} onMove={onMove} />
          <Move by={1} label={`Move ${label} down`} disabled={at === ways.length - 1} onMove={onMove} />
          <Tooltip label={`Remove ${label}`}>
            <ActionIcon variant="subtle" aria-label={`Remove ${label}`} onClick={onRemove}>
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
        </span>
      </div>
      <div className={styles.pair}>
        <Select
          label="Channel"
          data={may.map((name) => ({ value: name, label: channelRules(name).label }))}
          value={channel}
          allowDeselect={false}
          error={errorOf('channel')}
          wrapperProps={{ 'data-field': `${place}.channel` }}
          onChange={(next) => onChange({ channel: next as ChannelName, from: '', template: null })}
        />
        <Select
          label="From"
          data={offer.senders.map(({ value, label: name }) => ({ value, label: name }))}
          value={way.from || null}
          placeholder={offer.loading ? 'Being looked up' : 'Choose a sender'}
          disabled={offer.senders.length === 0}
          allowDeselect={false}
          error={errorOf('from') ?? (offer.senders.length === 0 ? offer.reason : null)}
          wrapperProps={{ 'data-field': `${place}.from` }}
          onChange={(next) => onChange({ from: next ?? '', template: null })}
        />
      </div>
      <div className={styles.pair}>
        <Select
          label="Taken when"
          data={TRIGGERS.map((value) => ({
            value,
            label: WHEN[value](before.label),
            disabled: value === 'unread' && !before.reads,
          }))}
          value={trigger}
          allowDeselect={false}
          error={errorOf('trigger')}
          wrapperProps={{ 'data-field': `${place}.trigger` }}
          onChange={(next) => onChange({ trigger: next as Trigger })}
        />
        {trigger !== 'failed' && (
          <div className={styles.wait} data-field={`${place}.wait_seconds`}>
            <NumberInput
              label="Wait"
              min={0}
              allowDecimal={false}
              allowNegative={false}
              hideControls
              value={way.wait}
              error={errorOf('wait_seconds')}
              onChange={(value) => onChange({ wait: typeof value === 'number' ? value : '' })}
            />
            <Select
              label="Unit"
              data={Object.keys(UNITS)}
              value={way.unit}
              allowDeselect={false}
              onChange={(unit) => onChange({ unit: unit as Unit })}
            />
          </div>
        )}
      </div>
      <div className={styles.says}>
        <SegmentedControl
          size="xs"
          aria-label={`What it says by ${label}`}
          value={says}
          data={SAYS.filter(({ value }) => value !== 'template' || !borrowed).map((one) => ({ ...one }))}
          onChange={(next) => onChange({ says: next as Way['says'] })}
        />
        {says === 'same' && (
          <div data-field={`${place}.text`}>
            <p className={styles.same}>{words.text.trim() || 'Nothing is written above yet.'}</p>
            <Problem>{errorOf('text')}</Problem>
          </div>
        )}
        {says === 'other' && (
          <Textarea
            aria-label={`Message by ${label}`}
            autosize
            minRows={2}
            maxRows={6}
            value={way.text}
            error={errorOf('text')}
            wrapperProps={{ 'data-field': `${place}.text` }}
            onChange={(event) => onChange({ text: event.currentTarget.value })}
          />
        )}
        {says === 'template' && <Template {...props} label={label} sender={senderOf(offer, way)} />}
        {session?.outside === 'templates' && says !== 'template' && (
          <p className={styles.hint}>
            {label} takes this within {session.hours} hours after the person wrote, and a template at any time.
          </p>
        )}
      </div>
      {others.map((message) => (
        <Problem key={message}>{message}</Problem>
      ))}
    </div>
  );
}

const senderOf = ({ senders }: Offer, { from }: Way): string => senders.find(({ value }) => value === from)?.code ?? '';

function Template({ ways, at, errorOf, onChange, label, sender }: Props & { label: string; sender: string }) {
  const [open, setOpen] = useState(false);
  const { channel, template } = ways[at]!;
  return (
    <div className={styles.template} data-field={`fallbacks.${at}.template`}>
      {template && <p className={styles.same}>{template.text}</p>}
      <Button
        className={styles.add}
        variant="default"
        size="xs"
        leftSection={<IconTemplate size={14} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        {template ? 'Another template' : 'Choose a template'}
      </Button>
      <Problem>{errorOf('template')}</Problem>
      <Suspense>
        {open && (
          <TemplateDialog
            conversation={{ channel, sender, contact_name: '', profile_name: '' }}
            title={`Template for ${label}`}
            action="Use it"
            onSend={({ text, template: id, variables }) => onChange({ template: { text, template: id, variables } })}
            onClose={() => setOpen(false)}
          />
        )}
      </Suspense>
    </div>
  );
}

const Problem = ({ children }: { children: string | null }) =>
  children ? (
    <p className={styles.problem} role="alert">
      {children}
    </p>
  ) : null;

interface MoveProps {
  by: -1 | 1;
  label: string;
  disabled: boolean;
  onMove: (by: -1 | 1) => void;
}

const Move = ({ by, label, disabled, onMove }: MoveProps) => (
  <ActionIcon variant="subtle" aria-label={label} data-move={by} disabled={disabled} onClick={() => onMove(by)}>
    {by < 0 ? <IconArrowUp size={16} aria-hidden /> : <IconArrowDown size={16} aria-hidden />}
  </ActionIcon>
);
