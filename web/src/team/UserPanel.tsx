import { Button } from '@mantine/core';
import { USER_STATUS } from '@parley/contract/accounts/accounts.ts';
import type { TeamUser } from '@parley/contract/team/team.ts';
import { Link } from '@tanstack/react-router';
import { userPath } from '../paths.ts';
import { DateTime } from '../ui/data/DateTime.tsx';
import { PhoneNumber } from '../ui/data/PhoneNumber.tsx';
import { StatusBadge } from '../ui/data/StatusBadge.tsx';
import { Disabled } from '../ui/feedback/Disabled.tsx';
import { Fields, SidePanel } from '../ui/layout/SidePanel.tsx';
import { AccessList, useAccess } from './AccessList.tsx';
import { roleLabel } from './roles.ts';
import styles from './Team.module.css';
import { userName, type useUserActions } from './user_actions.ts';

interface UserPanelProps {
  user: TeamUser | null;
  actions: ReturnType<typeof useUserActions>;
  onClose: () => void;
  onBlock: (user: TeamUser) => void;
}

export function UserPanel({ user, actions, onClose, onBlock }: UserPanelProps) {
  return (
    <SidePanel
      open={user !== null}
      onClose={onClose}
      title={user ? userName(user) : ''}
      description={user && <StatusBadge {...USER_STATUS[user.status]} reason={user.block_reason || null} />}
      recordId={user?.id}
      actions={
        user && (
          <>
            <Disabled reason={actions.blockReason(user)}>
              <Button variant="default" onClick={() => (user.blocked ? actions.unblock(user) : onBlock(user))}>
                {user.blocked ? 'Unblock' : 'Block'}
              </Button>
            </Disabled>
            <Disabled reason={actions.editReason}>
              <Button component={Link} to={userPath(user.id)}>
                Edit
              </Button>
            </Disabled>
          </>
        )
      }
    >
      {user && (
        <>
          <Fields
            fields={[
              { label: 'Email', value: user.email },
              { label: 'Phone', value: user.phone_number ? <PhoneNumber value={user.phone_number} /> : 'None' },
              { label: 'Role', value: roleLabel(user.permissions, user.is_owner) },
              { label: 'Position', value: user.position || '–' },
              { label: 'Two-factor authentication', value: user.second_factor ? 'On' : 'Not set up' },
              {
                label: 'Last seen',
                value: user.last_seen_date ? <DateTime value={user.last_seen_date} /> : 'Never',
              },
              { label: 'Added', value: <DateTime value={user.create_date} show="date" /> },
              ...(user.block_reason ? [{ label: 'Block reason', value: user.block_reason }] : []),
            ]}
          />
          <MenuAccess user={user} />
        </>
      )}
    </SidePanel>
  );
}

function MenuAccess({ user }: { user: TeamUser }) {
  const { menu } = useAccess(user.permissions);
  return (
    <section className={styles.panelPart}>
      <h3 className={styles.accessTitle}>Access</h3>
      <AccessList entries={menu} label={`Menu for ${userName(user)}`} />
    </section>
  );
}
