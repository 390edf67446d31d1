import { sentSegments } from '@parley/contract/channels/sms/profile.ts';
import { septets } from '@parley/contract/channels/sms/text.ts';
import type { MessageDetail } from '@parley/contract/messages/details.ts';
import { Fragment } from 'react';
import { isCountedInSegments } from '../channels/counter.ts';
import { formatCount, formatNumber } from '../ui/data/format.ts';
import styles from './Messages.module.css';

/** The text as sent, with a mark at each segment boundary. */
export function MessageText({
  message,
}: {
  message: Pick<MessageDetail, 'text' | 'channel' | 'encoding' | 'segments_count'>;
}) {
  const length = message.encoding === 'GSM-7' ? septets(message.text) : message.text.length;
  const isSegmented = isCountedInSegments(message.channel);
  const parts = isSegmented ? sentSegments(message.text, message.encoding, message.segments_count) : [message.text];
  let at = 0;
  return (
    <>
      <div className={styles.body} dir="auto">
        {parts.map((part) => {
          at += part.length;
          return (
            <Fragment key={at}>
              {at > part.length && <span className={styles.cut} title="Next segment" aria-hidden />}
              {part}
            </Fragment>
          );
        })}
      </div>
      {isSegmented && (
        <div className={styles.measure}>
          {formatNumber(length)} characters · {formatCount(message.segments_count, 'segment')} · {message.encoding}
        </div>
      )}
    </>
  );
}
