import { Popover, VisuallyHidden } from '@mantine/core';
import { IconLogout } from '@tabler/icons-react';
import { useState } from 'react';
import { useSession, useSessionContext } from '../../kernel/session/session.tsx';
import { DensityControl, ThemeControl } from '../../ui/theme/ThemeControls.tsx';
import styles from './TopBar.module.css';
import { UserLinks } from './UserLinks.tsx';

const LETTERS = new Intl.Segmenter();
/** The initials of a name. Names are split into visible characters, which may consist of several code points. */
export const initials = (name: string): string =>
  name
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => [...LETTERS.segment(word)][0]?.segment.toUpperCase())
    .slice(0, 2)
    .join('') || '?';

export function UserMenu() {
  const { user, account } = useSession();
  const { signOut } = useSessionContext();
  const [opened, setOpened] = useState(false);
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" width={256} withRoles>
      <Popover.Target>
        <button type="button" className={styles.avatar} onClick={() => setOpened(!opened)}>
          {initials(user.full_name)}
          <VisuallyHidden>, menu for {user.full_name}</VisuallyHidden>
        </button>
      </Popover.Target>
      <Popover.Dropdown p={6} aria-label="User menu">
        <div className={styles.who}>
          <b>{user.full_name}</b>
          <span>{user.email}</span>
          <span>{account.company_name}</span>
        </div>
        <hr className={styles.rule} />
        <div className={styles.setting}>
          Theme
          <ThemeControl fullWidth />
        </div>
        <div className={styles.setting}>
          Density
          <DensityControl fullWidth />
        </div>
        <hr className={styles.rule} />
        <UserLinks onGo={() => setOpened(false)} />
        <button type="button" className={styles.act} onClick={() => void signOut()}>
          <IconLogout size={16} stroke={1.7} aria-hidden />
          Sign out
        </button>
      </Popover.Dropdown>
    </Popover>
  );
}
