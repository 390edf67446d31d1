/** A phone for each channel in a test. The current step's channel is in front unless the user chooses another one. */
import { Button, SegmentedControl } from '@mantine/core';
import { channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import type { MessageFallbackStep } from '@parley/contract/messages/details.ts';
import { MESSAGE_STATUS } from '@parley/contract/messages/statuses.ts';
import { IconExternalLink } from '@tabler/icons-react';
import { useState } from 'react';
import { TestPhone } from './TestPhone.tsx';
import styles from './TryItNow.module.css';
import type { TestMessages } from './test_messages.ts';

export interface PhoneStep {
  channel: ChannelName;
  sender: string;
  /** The text that would be sent. */
  draft: string;
}

interface Props {
  /** The phones in the order of the form. */
  phones: readonly PhoneStep[];
  /** The fallback steps of the last test. */
  steps: readonly MessageFallbackStep[];
  messages: TestMessages;
  /** The virtual phone's URL; null without the sandbox. */
  address: string | null;
}

const STATE_LABELS: Readonly<Record<Exclude<MessageFallbackStep['state'], 'in_effect'>, string>> = {
  waiting: 'Waiting',
  passed_on: 'Passed on',
  skipped: 'Skipped',
  not_needed: 'Not needed',
};

const stateLabel = ({ state, status }: Pick<MessageFallbackStep, 'state' | 'status'>): string =>
  state === 'in_effect' ? MESSAGE_STATUS[status ?? 'enroute'].label : STATE_LABELS[state];

const toPhone = ({ channel, from }: MessageFallbackStep): PhoneStep => ({
  channel: channel as ChannelName,
  sender: from,
  draft: '',
});

export function StepPhones({ phones: written, steps, messages, address }: Props) {
  const [chosen, setChosen] = useState<ChannelName | null>(null);
  const current = steps.find(({ state }) => state === 'in_effect')?.channel;
  // Steps of the last test that have since been removed from the form.
  const removed = steps.filter((step) => written.every(({ channel }) => channel !== step.channel));
  const phones = [...written, ...removed.map(toPhone)];
  const front = phones.find(({ channel }) => channel === (chosen ?? current)) ?? phones[0]!;
  return (
    <div className={styles.phone}>
      {phones.length > 1 && (
        <SegmentedControl
          className={styles.tabs}
          fullWidth
          aria-label="Phone by channel"
          value={front.channel}
          onChange={(channel) => setChosen(channel as ChannelName)}
          data={phones.map(({ channel }) => ({
            value: channel,
            label: <TabLabel channel={channel} steps={steps} isCurrent={channel === current} />,
          }))}
        />
      )}
      <TestPhone {...front} messages={messages.on(front.channel)} />
      {address && (
        <Button
          component="a"
          variant="default"
          size="xs"
          target="_blank"
          rel="noopener noreferrer"
          href={address}
          rightSection={<IconExternalLink size={14} aria-hidden />}
        >
          Open virtual phone
        </Button>
      )}
    </div>
  );
}

interface TabLabelProps {
  channel: ChannelName;
  steps: readonly MessageFallbackStep[];
  isCurrent: boolean;
}

function TabLabel({ channel, steps, isCurrent }: TabLabelProps) {
  const step = steps.find((one) => one.channel === channel);
  return (
    <span className={styles.tab} data-current={isCurrent || undefined}>
      <span>{channelRules(channel).label}</span>
      {steps.length > 0 && <span className={styles.state}>{step ? stateLabel(step) : ' '}</span>}
    </span>
  );
}
