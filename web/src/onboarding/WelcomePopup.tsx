/**
 * Welcomes trial accounts with three shortcuts, and once more when the company is verified. Loaded lazily. The account
 * stores that the popup was closed.
 */

import { Button, Modal } from '@mantine/core';
import { submitVerification, updatePreference } from '@parley/contract/accounts/company.ts';
import type { Needs } from '@parley/contract/permission.ts';
import { IconApi, IconCards, type IconProps, IconSend } from '@tabler/icons-react';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { type ComponentType, useState } from 'react';
import { useAction } from '../kernel/http/query.ts';
import { routeReason } from '../kernel/session/routes.tsx';
import { useReason, useSession } from '../kernel/session/session.tsx';
import { VERIFICATION } from '../paths.ts';
import { brandName } from '../ui/brand.ts';
import { Disabled } from '../ui/feedback/Disabled.tsx';
import styles from './Onboarding.module.css';

interface Shortcut {
  title: string;
  text: string;
  action: string;
  path: string;
  needs: Needs;
  icon: ComponentType<IconProps>;
}

const SHORTCUTS: readonly Shortcut[] = [
  {
    title: 'Try It Now',
    text: 'Send a message to your own verified number.',
    action: 'Try it now',
    path: '/try-it-now',
    needs: 'MESSAGES:add',
    icon: IconSend,
  },
  {
    title: 'Request Sender ID',
    text: 'To send campaigns through all channels.',
    action: 'Request sender ID',
    path: '/senders/create-sender',
    needs: 'SENDERS:add',
    icon: IconCards,
  },
  {
    title: 'API Configuration',
    text: 'Create your first API key in under 30 seconds.',
    action: 'Create API key',
    path: '/apis/keys/create',
    needs: 'KEYS:add',
    icon: IconApi,
  },
];

/** Why the shortcuts are disabled before the company is verified. */
const lockedText = (status: string): string =>
  status === 'FORM_SUBMITTED'
    ? ' We are reviewing your company details. You will get an email when these features are available:'
    : ' These features will be available once your company is verified. The form takes a few minutes to fill out.';

export default function WelcomePopup() {
  const session = useSession();
  const { routesByPath } = useRouter();
  const navigate = useNavigate();
  const [open, setOpen] = useState(true);
  const save = useAction(updatePreference);
  const canVerify = useReason(submitVerification) === null;
  const { verified, status } = session.account;
  const offersVerification = !verified && status === 'UNVERIFIED' && canVerify && VERIFICATION in routesByPath;
  const close = () => {
    setOpen(false);
    save.mutate({ body: { welcome_closed: true } });
  };
  const leave = (path: string) => {
    close();
    void navigate({ to: path });
  };
  return (
    <Modal.Root opened={open} onClose={close} size={800} centered>
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Header>
          <Modal.Title>
            Welcome to {brandName()}, {session.user.first_name || session.user.full_name}
          </Modal.Title>
          <Modal.CloseButton aria-label="Close" />
        </Modal.Header>
        <Modal.Body>
          <p className={styles.welcomeLine}>
            {verified && 'Your company is verified. '}
            Your trial runs for {session.account.days_left} more {session.account.days_left === 1 ? 'day' : 'days'}.
            {verified ? ' Choose where to start:' : lockedText(status)}
          </p>
          <ul className={styles.shortcuts}>
            {SHORTCUTS.map((shortcut) => (
              <ShortcutCard key={shortcut.path} shortcut={shortcut} onOpen={() => leave(shortcut.path)} />
            ))}
          </ul>
          <div className={styles.welcomeFoot}>
            <Button variant="subtle" onClick={() => leave('/onboarding')}>
              See examples for your industry
            </Button>
            <Button variant={offersVerification ? 'default' : 'filled'} onClick={close}>
              Look around first
            </Button>
            {offersVerification && <Button onClick={() => leave(VERIFICATION)}>Verify your company</Button>}
          </div>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

function ShortcutCard({ shortcut, onOpen }: { shortcut: Shortcut; onOpen: () => void }) {
  const { title, text, action, path, needs, icon: Icon } = shortcut;
  const session = useSession();
  const { routesByPath } = useRouter();
  const lockedReason =
    path in routesByPath ? routeReason({ needs }, session) : 'This page is not available in this version.';
  return (
    <li className={styles.shortcut}>
      <span className={styles.shortcutIcon}>
        <Icon size={20} stroke={1.6} aria-hidden />
      </span>
      <h3 className={styles.cardTitle}>{title}</h3>
      <p className={styles.shortcutText}>{text}</p>
      <Disabled reason={lockedReason}>
        <Button variant="default" fullWidth onClick={onOpen}>
          {action}
        </Button>
      </Disabled>
    </li>
  );
}
