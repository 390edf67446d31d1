import { Button } from '@mantine/core';
import { Link, useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { impersonationReason } from '../../auth/impersonation.ts';
import { useSession } from '../../kernel/session/session.tsx';
import { CHANGE_PHONE, SECURITY } from '../../paths.ts';
import { PhoneNumber } from '../../ui/data/PhoneNumber.tsx';
import { Disabled } from '../../ui/feedback/Disabled.tsx';
import styles from '../Settings.module.css';

export function ContactFacts() {
  const { user } = useSession();
  return (
    <>
      <Fact label="Email" value={user.email} action="Change email" href={SECURITY} />
      <Fact
        label="Phone"
        value={user.phone_number ? <PhoneNumber value={user.phone_number} /> : 'No phone number yet'}
        action={user.phone_number ? 'Change phone' : 'Add phone'}
        href={CHANGE_PHONE}
      />
    </>
  );
}

function Fact({ label, value, action, href }: { label: string; value: ReactNode; action: string; href: string }) {
  const { user } = useSession();
  const { routesByPath } = useRouter();
  return (
    <div className={styles.fact}>
      <span className={styles.factText}>
        <span className={styles.factLabel}>{label}</span>
        <span className={styles.factValue}>{value}</span>
      </span>
      {href in routesByPath && (
        <Disabled reason={impersonationReason(user)}>
          <Button component={Link} to={href} variant="default" size="xs">
            {action}
          </Button>
        </Disabled>
      )}
    </div>
  );
}
