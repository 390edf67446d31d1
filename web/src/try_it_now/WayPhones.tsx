/** The phone on each of the channels a test may go by; the one it goes by now is in front unless another is looked at. */
import { Button, SegmentedControl } from '@mantine/core';
import { channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import type { MessageFallbackStep } from '@parley/contract/messages/messages.ts';
import { IconExternalLink } from '@tabler/icons-react';
import { useState } from 'react';
import { statusStyle } from '../ui/data/status.ts';
import { TestPhone } from './TestPhone.tsx';
import styles from './TryItNow.module.css';
import type { Tested } from './tested.ts';

export interface PhoneWay {
  channel: ChannelName;
  sender: string;
  /** What would be sent. */
  draft: string;
}

interface Props {
  /** In their order. */
  ways: readonly PhoneWay[];
  /** Of the last message, once it is told how its ways stand. */
  legs: readonly MessageFallbackStep[];
  tested: Tested;
  /** Of the virtual phone, where there is one. */
  address: string | null;
}

const STATE: Readonly<Record<Exclude<MessageFallbackStep['state'], 'in_effect'>, string>> = {
  waiting: 'Waits',
  passed_on: 'Passed on',
  skipped: 'Left out',
  not_needed: 'Not needed',
};

export const stateWords = ({ state, status }: Pick<MessageFallbackStep, 'state' | 'status'>): string =>
  state === 'in_effect' ? statusStyle(status ?? 'enroute').label : STATE[state];

/** A way of the last message that is not written any more. */
const phoneOf = ({ channel, from }: MessageFallbackStep): PhoneWay => ({
  channel: channel as ChannelName,
  sender: from,
  draft: '',
});

export function WayPhones({ ways, legs, tested, address }: Props) {
  const [looked, setLooked] = useState<ChannelName | null>(null);
  const going = legs.find(({ state }) => state === 'in_effect')?.channel;
  const phones = [...ways, ...legs.filter((leg) => ways.every(({ channel }) => channel !== leg.channel)).map(phoneOf)];
  const front = phones.find(({ channel }) => channel === (looked ?? going)) ?? phones[0]!;
  return (
    <div className={styles.phone}>
      {phones.length > 1 && (
        <SegmentedControl
          className={styles.tabs}
          fullWidth
          aria-label="Phone by channel"
          value={front.channel}
          onChange={(channel) => setLooked(channel as ChannelName)}
          data={phones.map(({ channel }) => {
            const leg = legs.find((one) => one.channel === channel);
            return {
              value: channel,
              label: (
                <span className={styles.tab} data-going={channel === going || undefined}>
                  <span>{channelRules(channel).label}</span>
                  {legs.length > 0 && <span className={styles.way}>{leg ? stateWords(leg) : ' '}</span>}
                </span>
              ),
            };
          })}
        />
      )}
      <TestPhone {...front} messages={tested.on(front.channel)} />
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
          Open the virtual phone and answer
        </Button>
      )}
    </div>
  );
}
