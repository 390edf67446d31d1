import { IconLogout } from '@tabler/icons-react';
import { useSession, useSessionContext } from '../../kernel/session/session.tsx';
import { DensityControl, ThemeControl } from '../../ui/theme/ThemeControls.tsx';
import styles from './TopBar.module.css';
import { UserLinks } from './UserLinks.tsx';

/** The items of the user menu, which are loaded after the first screen. */
export default function UserMenuItems({ onGo }: { onGo: () => void }) {
  const { user, account } = useSession();
  const { signOut } = useSessionContext();
  return (
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
      <UserLinks onGo={onGo} />
      <button type="button" className={styles.act} onClick={() => void signOut()}>
        <IconLogout size={16} stroke={1.7} aria-hidden />
        Sign out
      </button>
    </>
  );
}
