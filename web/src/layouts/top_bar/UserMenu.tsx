import { VisuallyHidden } from '@mantine/core';
import { IconLogout } from '@tabler/icons-react';
import { useSession, useSessionContext } from '../../kernel/session/session.tsx';
import { Popup } from '../../ui/layout/Popup.tsx';
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
  return (
    <Popup
      label="User menu"
      className={styles.userMenu}
      target={(props) => (
        <button {...props} className={styles.avatar}>
          {initials(user.full_name)}
          <VisuallyHidden>, menu for {user.full_name}</VisuallyHidden>
        </button>
      )}
    >
      {(close) => (
        <>
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
          <UserLinks onGo={close} />
          <button type="button" className={styles.act} onClick={() => void signOut()}>
            <IconLogout size={16} stroke={1.7} aria-hidden />
            Sign out
          </button>
        </>
      )}
    </Popup>
  );
}
