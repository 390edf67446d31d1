import { Button, SegmentedControl } from '@mantine/core';
import { createInvitation } from '@parley/contract/team/team.ts';
import { IconUserPlus } from '@tabler/icons-react';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { routeReason } from '../kernel/session/routes.tsx';
import { useSession } from '../kernel/session/session.tsx';
import { CREATE_USER } from '../paths.ts';
import { InvitationsTable } from '../team/InvitationsTable.tsx';
import { UsersTable } from '../team/UsersTable.tsx';
import { Disabled } from '../ui/feedback/Disabled.tsx';
import styles from './Settings.module.css';
import { SettingsLayout } from './SettingsLayout.tsx';

const INVITATIONS = 'invitations';

export default function UsersPage() {
  const session = useSession();
  const navigate = useNavigate();
  const { view } = useSearch({ strict: false }) as { view?: string };
  const add = (
    <Disabled reason={routeReason({ needs: createInvitation.needs, person: true }, session)}>
      <Button component={Link} to={CREATE_USER} leftSection={<IconUserPlus size={16} aria-hidden />}>
        Add user
      </Button>
    </Disabled>
  );
  return (
    <SettingsLayout
      title="Users"
      description={`Users in ${session.account.company_name} and their permissions.`}
      action={add}
    >
      <SegmentedControl
        className={styles.views}
        size="xs"
        aria-label="List"
        value={view === INVITATIONS ? INVITATIONS : 'users'}
        // The filters of one list do not apply to the other.
        onChange={(next) =>
          void navigate({ to: '.', search: (next === INVITATIONS ? { view: next } : {}) as never, replace: true })
        }
        data={[
          { value: 'users', label: 'Users' },
          { value: INVITATIONS, label: 'Invitations' },
        ]}
      />
      {view === INVITATIONS ? <InvitationsTable add={add} /> : <UsersTable add={add} />}
    </SettingsLayout>
  );
}
