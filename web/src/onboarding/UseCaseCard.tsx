import { Button, VisuallyHidden } from '@mantine/core';
import { DEFAULT_CHANNEL } from '@parley/contract/channels/names.ts';
import { IconCheck, IconClock, IconCopy, IconInfoCircle, IconShieldCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ChannelMark } from '../channels/ChannelMark.tsx';
import { routeReason } from '../kernel/session/routes.tsx';
import { useSession } from '../kernel/session/session.tsx';
import { CREATE_TEMPLATE, createCampaignPath, linkTo } from '../paths.ts';
import { ToneBadge } from '../ui/data/StatusBadge.tsx';
import { Disabled } from '../ui/feedback/Disabled.tsx';
import { toast } from '../ui/feedback/Toasts.tsx';
import styles from './Onboarding.module.css';
import { UseCaseSetup } from './UseCaseSetup.tsx';
import { KINDS, templateName, type UseCase } from './use_case.ts';

/** The place where the text is used: a campaign, or a template if it is for another channel or for single messages. */
function textTarget({ channel, kind, title, text }: UseCase) {
  if (channel === DEFAULT_CHANNEL && kind !== 'code')
    return { path: createCampaignPath(channel), needs: 'CAMPAIGNS:add', search: { name: title, text } } as const;
  const search = { channel: channel.toLowerCase(), name: templateName(title), text };
  return { path: CREATE_TEMPLATE, needs: 'TEMPLATES:add', search } as const;
}

const COPIED_MS = 2_000;

export function UseCaseCard({ useCase }: { useCase: UseCase }) {
  const { channel, kind, title, text, when, note } = useCase;
  const session = useSession();
  const target = textTarget(useCase);
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
      <div className={styles.actions}>
        <UseCaseSetup useCase={useCase} />
        <Disabled reason={routeReason(target, session)}>
          <Button component={Link} {...linkTo(target.path, target.search)} size="xs" variant="default">
            Use this text
            <VisuallyHidden>&nbsp;of {title}</VisuallyHidden>
          </Button>
        </Disabled>
        <Button
          variant="subtle"
          size="xs"
          leftSection={copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
          onClick={() => void copy()}
        >
          {copied ? 'Copied' : 'Copy text'}
          <VisuallyHidden>&nbsp;of {title}</VisuallyHidden>
        </Button>
      </div>
    </li>
  );
}
