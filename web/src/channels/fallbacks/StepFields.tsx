/** The fields of one fallback step: channel, sender, trigger, and content. */
import { ActionIcon, NumberInput, Select } from '@mantine/core';
import { channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { TRIGGERS, type Trigger } from '@parley/contract/messages/triggers.ts';
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react';
import { Tooltip } from '../../ui/feedback/Tooltip.tsx';
import { ChannelMark } from '../ChannelMark.tsx';
import { ContentFields } from './ContentFields.tsx';
import styles from './Fallbacks.module.css';
import { channelBefore, freeChannels, UNITS, type Unit } from './fallback_steps.ts';
import { Problem } from './Problem.tsx';
import type { StepFieldsProps } from './step_fields.ts';

/** API fields without an input here; their errors are shown below the step. */
const OTHER_FIELDS = ['', 'type', 'variables', 'button', 'purpose', 'media_id', 'url', 'file_name'];

export function StepFields(props: StepFieldsProps) {
  const { at, fieldError } = props;
  const problems = OTHER_FIELDS.flatMap((field) => fieldError(field) ?? []);
  return (
    <div className={styles.fields} data-field={`fallbacks.${at}`}>
      <StepHeader {...props} />
      <SenderFields {...props} />
      <TriggerFields {...props} />
      <ContentFields {...props} />
      {problems.map((message) => (
        <Problem key={message}>{message}</Problem>
      ))}
    </div>
  );
}

function StepHeader({ steps, at, onMove, onRemove }: StepFieldsProps) {
  const { channel } = steps[at]!;
  const { label } = channelRules(channel);
  return (
    <div className={styles.head}>
      <span className={styles.position}>{at + 2}.</span>
      <ChannelMark channel={channel} />
      <span className={styles.moves}>
        <Move by={-1} label={`Move ${label} up`} disabled={at === 0} onMove={onMove} />
        <Move by={1} label={`Move ${label} down`} disabled={at === steps.length - 1} onMove={onMove} />
        <Tooltip label={`Remove ${label}`}>
          <ActionIcon variant="subtle" aria-label={`Remove ${label}`} onClick={onRemove}>
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </span>
    </div>
  );
}

function SenderFields({ first, steps, at, options, fieldError, onChange }: StepFieldsProps) {
  const { channel, from } = steps[at]!;
  const { senders, loading, reason } = options[channel];
  const channels = [channel, ...freeChannels(first, steps)];
  return (
    <div className={styles.pair}>
      <Select
        label="Channel"
        data={channels.map((name) => ({ value: name, label: channelRules(name).label }))}
        value={channel}
        allowDeselect={false}
        error={fieldError('channel')}
        wrapperProps={{ 'data-field': `fallbacks.${at}.channel` }}
        onChange={(next) => onChange({ channel: next as ChannelName, from: '', template: null })}
      />
      <Select
        label="From"
        data={senders.map(({ value, label }) => ({ value, label }))}
        value={from || null}
        placeholder={loading ? 'Loading' : 'Choose a sender'}
        disabled={senders.length === 0}
        allowDeselect={false}
        error={fieldError('from') ?? (senders.length === 0 ? reason : null)}
        wrapperProps={{ 'data-field': `fallbacks.${at}.from` }}
        onChange={(next) => onChange({ from: next ?? '', template: null })}
      />
    </div>
  );
}

const TRIGGER_LABELS: Readonly<Record<Trigger, (channel: string) => string>> = {
  undelivered: (channel) => `Not delivered on ${channel}`,
  unread: (channel) => `Not read on ${channel}`,
  failed: (channel) => `Rejected or failed on ${channel}`,
};

function TriggerFields({ first, steps, at, fieldError, onChange }: StepFieldsProps) {
  const { trigger, wait, unit } = steps[at]!;
  const { label, reads } = channelRules(channelBefore(first, steps, at));
  const triggers = TRIGGERS.map((value) => ({
    value,
    label: TRIGGER_LABELS[value](label),
    disabled: value === 'unread' && !reads,
  }));
  return (
    <div className={styles.pair}>
      <Select
        label="Send if"
        data={triggers}
        value={trigger}
        allowDeselect={false}
        error={fieldError('trigger')}
        wrapperProps={{ 'data-field': `fallbacks.${at}.trigger` }}
        onChange={(next) => onChange({ trigger: next as Trigger })}
      />
      {trigger !== 'failed' && (
        <div className={styles.wait} data-field={`fallbacks.${at}.wait_seconds`}>
          <NumberInput
            label="Wait"
            min={0}
            allowDecimal={false}
            allowNegative={false}
            hideControls
            value={wait}
            error={fieldError('wait_seconds')}
            onChange={(value) => onChange({ wait: typeof value === 'number' ? value : '' })}
          />
          <Select
            label="Unit"
            data={Object.keys(UNITS)}
            value={unit}
            allowDeselect={false}
            onChange={(next) => onChange({ unit: next as Unit })}
          />
        </div>
      )}
    </div>
  );
}

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
