import { Popover, SegmentedControl, useMantineColorScheme, VisuallyHidden } from '@mantine/core';
import { IconLogout } from '@tabler/icons-react';
import { useState } from 'react';
import { useSession, useSessionContext } from '../../kernel/session/session.tsx';
import { type Density, useDensity } from '../../ui/theme/density.ts';
import styles from './TopBar.module.css';
import { UserLinks } from './UserLinks.tsx';

const LETTERS = new Intl.Segmenter();
/** Letters as people see them: the first of a name may be made of several characters. */
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
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [density, setDensity] = useDensity();
  const [opened, setOpened] = useState(false);
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" width={256} withRoles>
      <Popover.Target>
        <button type="button" className={styles.avatar} onClick={() => setOpened(!opened)}>
          {initials(user.full_name)}
          <VisuallyHidden>, menu of {user.full_name}</VisuallyHidden>
        </button>
      </Popover.Target>
      <Popover.Dropdown p={6} aria-label="Your menu">
        <div className={styles.who}>
          <b>{user.full_name}</b>
          <span>{user.email}</span>
          <span>{account.company_name}</span>
        </div>
        <hr className={styles.rule} />
        <div className={styles.setting}>
          Theme
          <SegmentedControl
            size="xs"
            fullWidth
            aria-label="Theme"
            value={colorScheme}
            onChange={(value) => setColorScheme(value as 'light' | 'dark' | 'auto')}
            data={[
              { value: 'light', label: 'Light' },
              { value: 'dark', label: 'Dark' },
              { value: 'auto', label: 'System' },
            ]}
          />
        </div>
        <div className={styles.setting}>
          Density
          <SegmentedControl
            size="xs"
            fullWidth
            aria-label="Density"
            value={density}
            onChange={(value) => setDensity(value as Density)}
            data={[
              { value: 'comfortable', label: 'Comfortable' },
              { value: 'compact', label: 'Compact' },
            ]}
          />
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
