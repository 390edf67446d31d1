import { Button } from '@mantine/core';
import type { TeamUser } from '@parley/contract/team/team.ts';
import { Link } from '@tanstack/react-router';
import { userPath } from '../paths.ts';
import { CopyId } from '../ui/data/CopyId.tsx';
import { DateTime } from '../ui/data/DateTime.tsx';
import { PhoneNumber } from '../ui/data/PhoneNumber.tsx';
import { StatusBadge } from '../ui/data/StatusBadge.tsx';
import { Disabled } from '../ui/feedback/Disabled.tsx';
import { Fields, SidePanel } from '../ui/layout/SidePanel.tsx';
import { nameOf, type useUserActs } from './acts.ts';
import { roleLabel } from './roles.ts';
import { SightList, useSight } from './SightPanel.tsx';
import styles from './Team.module.css';
import { USER_WORDS } from './words.ts';

export interface UserPanelProps {
  user: TeamUser | null;
  acts: ReturnType<typeof useUserActs>;
  onClose: () => void;
  onBlock: (user: TeamUser) => void;
}

export function UserPanel({ user, acts, onClose, onBlock }: UserPanelProps) {
  return (
    <SidePanel
      open={user !== null}
      onClose={onClose}
      title={user ? nameOf(user) : ''}
      description={user && <StatusBadge status={user.status} words={USER_WORDS} reason={user.block_reason || null} />}
      actions={
        user && (
          <>
            <Disabled reason={acts.blockReason(user)}>
              <Button variant="default" onClick={() => (user.blocked ? acts.unblock(user) : onBlock(user))}>
                {user.blocked ? 'Unblock' : 'Block'}
              </Button>
            </Disabled>
            <Disabled reason={acts.editReason}>
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
              { label: 'E-mail', value: user.email },
              { label: 'Phone', value: user.phone_number ? <PhoneNumber value={user.phone_number} /> : 'None' },
              { label: 'Role', value: roleLabel(user.permissions, user.is_owner) },
              { label: 'Position', value: user.position || '–' },
              { label: 'Second factor', value: user.second_factor ? 'On' : 'Not set up' },
              {
                label: 'Last seen',
                value: user.last_seen_date ? <DateTime value={user.last_seen_date} /> : 'Never',
              },
              { label: 'Here since', value: <DateTime value={user.create_date} show="date" /> },
              ...(user.block_reason ? [{ label: 'Blocked because', value: user.block_reason }] : []),
              { label: 'Id', value: <CopyId value={user.id} /> },
            ]}
          />
          <Menu user={user} />
        </>
      )}
    </SidePanel>
  );
}

function Menu({ user }: { user: TeamUser }) {
  const { menu } = useSight(user.permissions);
  return (
    <section className={styles.panelPart}>
      <h3 className={styles.sightTitle}>What they see</h3>
      <SightList seen={menu} label={`Menu of ${nameOf(user)}`} />
    </section>
  );
}
