/** Greets trial accounts once: three ways to begin. That it was closed is remembered for the account. A default export because it is loaded lazily. */
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

export const SHORTCUTS: readonly Shortcut[] = [
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
    text: 'Create a first API key in under 30 seconds.',
    action: 'Create API key',
    path: '/apis/keys/create',
    needs: 'KEYS:add',
    icon: IconApi,
  },
];

/** Why nothing of it can be done yet. */
const waitsFor = (status: string): string =>
  status === 'FORM_SUBMITTED'
    ? 'Your company’s details are being looked at; you get a mail once these three are open:'
    : 'These three open once your company is verified. It takes a few minutes to ask for it.';

export default function WelcomePopup() {
  const session = useSession();
  const { routesByPath } = useRouter();
  const navigate = useNavigate();
  const [open, setOpen] = useState(true);
  const keep = useAction(updatePreference);
  const mayVerify = useReason(submitVerification) === null;
  const { verified, status } = session.account;
  const verifies = !verified && status === 'UNVERIFIED' && mayVerify && VERIFICATION in routesByPath;
  const close = () => {
    setOpen(false);
    keep.mutate({ body: { welcome_closed: true } });
  };
  const reasonOf = ({ path, needs }: Shortcut): string | null =>
    path in routesByPath ? routeReason({ needs }, session) : 'This page is not part of this version of Parley yet.';
  return (
    <Modal.Root opened={open} onClose={close} size={800} centered>
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Header>
          <Modal.Title>Welcome to Parley, {session.user.first_name || session.user.full_name}</Modal.Title>
          <Modal.CloseButton aria-label="Close" />
        </Modal.Header>
        <Modal.Body>
          <p className={styles.welcomeLine}>
            Your trial runs for {session.account.days_left} more {session.account.days_left === 1 ? 'day' : 'days'}.
            {verified ? 'Three good ways to begin:' : waitsFor(status)}
          </p>
          <ul className={styles.shortcuts}>
            {SHORTCUTS.map((shortcut) => {
              const { title, text, action, path, icon: Icon } = shortcut;
              return (
                <li key={path} className={styles.shortcut}>
                  <span className={styles.shortcutIcon}>
                    <Icon size={20} stroke={1.6} aria-hidden />
                  </span>
                  <h3 className={styles.cardTitle}>{title}</h3>
                  <p className={styles.shortcutText}>{text}</p>
                  <Disabled reason={reasonOf(shortcut)}>
                    <Button
                      variant="default"
                      fullWidth
                      onClick={() => {
                        close();
                        void navigate({ to: path });
                      }}
                    >
                      {action}
                    </Button>
                  </Disabled>
                </li>
              );
            })}
          </ul>
          <div className={styles.welcomeFoot}>
            <Button
              variant="subtle"
              onClick={() => {
                close();
                void navigate({ to: '/onboarding' });
              }}
            >
              See examples for your industry
            </Button>
            <Button variant={verifies ? 'default' : 'filled'} onClick={close}>
              Look around first
            </Button>
            {verifies && (
              <Button
                onClick={() => {
                  close();
                  void navigate({ to: VERIFICATION });
                }}
              >
                Verify your company
              </Button>
            )}
          </div>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
