import type { ChannelName } from '@parley/contract/channels/names.ts';
import type { Message } from '@parley/contract/messages/messages.ts';
import { MESSAGE_STATUS } from '@parley/contract/messages/statuses.ts';
import { channelView } from '../channels/index.ts';
import { ContentView } from '../channels/preview/ContentView.tsx';
import { formatTime } from '../ui/data/format.ts';
import { usePhone } from '../ui/data/phone.ts';
import { useZone } from '../ui/data/zone.ts';
import { PhonePreview } from '../ui/message/PhonePreview.tsx';
import styles from './TryItNow.module.css';

interface Props {
  channel: ChannelName;
  sender: string;
  messages: readonly Message[];
  /** The text that would be sent. */
  draft: string;
}

/** The messages on the phone, with the status of outbound messages. Before the first test it shows the draft. */
export function TestPhone({ channel, sender, messages, draft }: Props) {
  const zone = useZone();
  const { formatText } = channelView(channel);
  const bubbles = messages.map((message) => ({
    key: message.id,
    from: message.direction === 'MO' ? ('person' as const) : ('business' as const),
    text: message.text,
    body: (
      <span className={styles.bubble} dir="auto">
        <ContentView content={message.content}>{formatText(message.text)}</ContentView>
      </span>
    ),
    time: [
      formatTime(message.create_date, zone),
      ...(message.direction === 'MT' ? [MESSAGE_STATUS[message.status].label] : []),
      ...(message.status_details ? [message.status_details] : []),
    ].join(' · '),
  }));
  return (
    <div aria-live="polite">
      <PhonePreview
        channel={channel}
        sender={usePhone(sender).text}
        empty="Your message will appear here"
        bubbles={bubbles.length > 0 ? bubbles : [{ key: 'draft', from: 'business', text: draft }]}
      />
    </div>
  );
}
