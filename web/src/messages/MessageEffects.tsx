import { Anchor } from '@mantine/core';
import type { MessageDetail } from '@parley/contract/messages/details.ts';
import { Link } from '@tanstack/react-router';
import { consentEntry } from '../audiences/people/consent_words.tsx';
import { deviceLabel } from '../links/words.ts';
import { linkPath, linkToAddress, messagePath } from '../paths.ts';
import { instant } from '../ui/data/format.ts';
import { Timeline } from '../ui/data/Timeline.tsx';
import styles from './Messages.module.css';

const opened = (text: string, path: string) => (
  <Anchor component={Link} {...linkToAddress(path)} inherit>
    {text}
  </Anchor>
);

/** The consent under which the message was sent, and the replies and clicks after it. */
export function MessageEffects({ message: { consent, replies, clicks } }: { message: MessageDetail }) {
  const entries = [
    ...replies.map(({ id, text, create_date }) => ({
      key: id,
      title: opened('Reply', messagePath(id)),
      at: create_date,
      tone: 'ok' as const,
      detail: <bdi>{text}</bdi>,
    })),
    ...clicks.map(({ link_id, url, device, click_date }, n) => ({
      key: `${link_id} ${n}`,
      title: opened('Click', linkPath(link_id)),
      at: click_date,
      source: deviceLabel(device),
      detail: <bdi>{url}</bdi>,
    })),
  ].sort((a, b) => instant(a.at).getTime() - instant(b.at).getTime());
  return (
    <>
      {consent && (
        <section className={styles.section}>
          <h3>Consent</h3>
          <Timeline entries={[consentEntry(consent)]} label="Consent" />
        </section>
      )}
      {entries.length > 0 && (
        <section className={styles.section}>
          <h3>Replies and clicks</h3>
          <Timeline entries={entries} label="Replies and clicks" />
        </section>
      )}
    </>
  );
}
