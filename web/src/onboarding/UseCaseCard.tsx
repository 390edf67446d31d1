import { Button, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconClock, IconCopy, IconInfoCircle, IconShieldCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { ChannelMark } from '../channels/ChannelMark.tsx';
import { ToneBadge } from '../ui/data/StatusBadge.tsx';
import { toast } from '../ui/feedback/Toasts.tsx';
import styles from './Onboarding.module.css';
import { KINDS, type UseCase } from './use_case.ts';

const COPIED_MS = 2_000;

export function UseCaseCard({ useCase: { channel, kind, title, text, when, note } }: { useCase: UseCase }) {
  const [copied, setCopied] = useState(false);
  const { label, consent } = KINDS[kind];
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      setTimeout(() => setCopied(false), COPIED_MS);
    } catch {
      toast.error('The browser blocked copying. Select the text and copy it manually.');
    }
  };
  return (
    <li className={styles.card}>
      <header className={styles.cardHead}>
        <h3 className={styles.cardTitle}>{title}</h3>
        <ChannelMark channel={channel} />
        <ToneBadge tone={kind === 'marketing' ? 'wait' : 'off'}>{label}</ToneBadge>
      </header>
      <p className={styles.bubble} data-channel={channel}>
        {text.split(/(\{\w+\})/).map((part, index) =>
          part.startsWith('{') ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts never change order
            <span key={index} className={styles.variable}>
              {part}
            </span>
          ) : (
            part
          ),
        )}
      </p>
      <ul className={styles.hints}>
        <li>
          <IconClock size={15} stroke={1.8} aria-hidden />
          {when}
        </li>
        <li>
          <IconShieldCheck size={15} stroke={1.8} aria-hidden />
          {consent}
        </li>
        {note && (
          <li>
            <IconInfoCircle size={15} stroke={1.8} aria-hidden />
            {note}
          </li>
        )}
      </ul>
      <Button
        className={styles.copy}
        variant="default"
        size="xs"
        leftSection={copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
        onClick={() => void copy()}
      >
        {copied ? 'Copied' : 'Copy text'}
        <VisuallyHidden>&nbsp;of {title}</VisuallyHidden>
      </Button>
    </li>
  );
}
