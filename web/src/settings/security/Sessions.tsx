import { Button } from '@mantine/core';
import { listSessions, removeOtherSessions, removeSession, type Session } from '@parley/contract/auth/sessions.ts';
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react';
import { useAction, useEndpoint } from '../../kernel/http/query.ts';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { formatCount } from '../../ui/data/format.ts';
import { confirm } from '../../ui/feedback/Confirm.tsx';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { Buttons } from '../../ui/form/FormParts.tsx';
import settings from '../Settings.module.css';
import styles from './Security.module.css';

const METHODS: Readonly<Record<string, string>> = {
  password: 'with a password',
  passkey: 'with a passkey',
  social: 'with a provider',
  email: 'with a code sent by email',
  invitation: 'with an invitation',
  switch: 'from another account',
};

export function Sessions() {
  const sessions = useEndpoint(listSessions);
  const remove = useAction(removeSession, { onSuccess: () => toast.success('The session has ended') });
  const removeOthers = useAction(removeOtherSessions, {
    onSuccess: ({ data }) => toast.success(`${formatCount(data.ended, 'session')} ended`),
  });
  if (sessions.error)
    return (
      <ErrorState title="Your sessions could not be loaded" onRetry={() => void sessions.refetch()}>
        {sessions.error.message}
      </ErrorState>
    );
  if (!sessions.data) return <SkeletonLines lines={4} />;
  const list = sessions.data.data.toSorted((a, b) => Number(b.current) - Number(a.current));
  const others = list.filter(({ current }) => !current).length;
  const endOthers = async () => {
    const confirmed = await confirm({
      title: 'Sign out everywhere else?',
      consequence: `${formatCount(others, 'other session')} will end immediately. You stay signed in here.`,
      action: 'Sign out everywhere else',
    });
    if (confirmed) removeOthers.mutate({});
  };
  return (
    <>
      <ul className={settings.rows} aria-label="Sessions">
        {list.map((session) => (
          <SessionRow key={session.id} session={session} onEnd={() => remove.mutate({ params: { id: session.id } })} />
        ))}
      </ul>
      {others > 0 && (
        <Buttons>
          <Button variant="default" onClick={() => void endOthers()} loading={removeOthers.isPending}>
            Sign out everywhere else
          </Button>
        </Buttons>
      )}
    </>
  );
}

function SessionRow({ session, onEnd }: { session: Session; onEnd: () => void }) {
  const { device, agent, company_name, address, method, second_factor, current, last_used_date } = session;
  const Icon = /iPhone|iPad|Android|phone/i.test(device) ? IconDeviceMobile : IconDeviceDesktop;
  const signIn = [METHODS[method], second_factor ? '2FA' : null].filter(Boolean).join(', ');
  return (
    <li>
      <Icon size={18} stroke={1.6} aria-hidden className={styles.icon} />
      <span className={settings.rowText}>
        <span className={settings.rowName} title={agent}>
          {device || 'Unknown device'}
        </span>
        <span className={styles.rowDetail}>
          {[company_name, address, signIn && `signed in ${signIn}`].filter(Boolean).join(' · ')}
        </span>
        <span className={styles.rowDetail}>
          {current ? (
            'Active now'
          ) : (
            <>
              Last active <DateTime value={last_used_date} />
            </>
          )}
        </span>
      </span>
      {current ? (
        <span className={styles.here}>This session</span>
      ) : (
        <Button variant="default" size="xs" aria-label={`End the session on ${device}`} onClick={onEnd}>
          End
        </Button>
      )}
    </li>
  );
}
