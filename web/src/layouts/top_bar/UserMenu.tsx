import { VisuallyHidden } from '@mantine/core';
import { Suspense } from 'react';
import { useSession } from '../../kernel/session/session.tsx';
import { lazyPart } from '../../ui/feedback/lazy_part.ts';
import { usePreload } from '../../ui/feedback/usePreload.ts';
import { Popup } from '../../ui/layout/Popup.tsx';
import styles from './TopBar.module.css';

const loadItems = () => import('./UserMenuItems.tsx');
const UserMenuItems = lazyPart(loadItems);

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
  const { user } = useSession();
  usePreload(loadItems);
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
        <Suspense>
          <UserMenuItems onGo={close} />
        </Suspense>
      )}
    </Popup>
  );
}
