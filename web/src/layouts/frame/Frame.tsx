/**
 * The frame of every page that requires sign-in: menu, top bar, and page. Below 768 px, the menu is a drawer; above
 * that, it can be collapsed to icons.
 */
import { ActionIcon } from '@mantine/core';
import { useLocalStorage, useMediaQuery } from '@mantine/hooks';
import type { User } from '@parley/contract/accounts/accounts.ts';
import { IconLayoutSidebar, IconMenu2 } from '@tabler/icons-react';
import { Outlet, useMatches } from '@tanstack/react-router';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { VerificationBanner } from '../../accounts/VerificationBanner.tsx';
import { useViolation } from '../../guard/violation.ts';
import { useSessionContext } from '../../kernel/session/session.tsx';
import { Welcome } from '../../onboarding/Welcome.tsx';
import { lazyPart } from '../../ui/feedback/lazy_part.ts';
import { PanelSlot } from '../../ui/layout/panel_slot.ts';
import { TopBar } from '../top_bar/TopBar.tsx';
import styles from './Frame.module.css';
import { Menu } from './Menu.tsx';

// Lazy, because customers and wide screens do not need them.
const SendingBanner = lazyPart(() => import('../../admin/sending/SendingBanner.tsx'));
const ViolationNotice = lazyPart(() => import('../../guard/ViolationNotice.tsx'));
const MenuDrawer = lazyPart(() => import('./MenuDrawer.tsx'));

/** Shows `children`, or else the route's page. */
export function Frame({ children }: { children?: ReactNode }) {
  const { state } = useSessionContext();
  const narrow = useMediaQuery('(max-width: 767px)', window.matchMedia?.('(max-width: 767px)').matches ?? false);
  const [folded, setFolded] = useLocalStorage({
    key: 'parley.menu_folded',
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  const [drawer, setDrawer] = useState(false);
  const [panelSlot, setPanelSlot] = useState<HTMLElement | null>(null);

  const { user = null, account = null } = state.kind === 'in' ? state.session : {};
  const user_id = user?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the user object changes with every reload of the session
  useEffect(() => (user && account ? startNotices(user, account.currency) : undefined), [user_id]);

  const { violated } = useViolation();
  const flush = useMatches({ select: (matches) => matches.some((match) => match.staticData.flush) });

  if (state.kind !== 'in') return null;
  return (
    <div className={styles.root} data-folded={folded || undefined}>
      <a className={styles.skip} href="#page">
        Skip to content
      </a>
      {!narrow && (
        <div className={styles.menu}>
          <Menu folded={folded} />
        </div>
      )}
      {narrow && (
        <Suspense>
          <MenuDrawer opened={drawer} onClose={() => setDrawer(false)} />
        </Suspense>
      )}
      <div className={styles.column}>
        <TopBar
          lead={
            <ActionIcon
              size={34}
              aria-label={narrow ? 'Open menu' : folded ? 'Expand menu' : 'Collapse menu'}
              onClick={() => (narrow ? setDrawer(true) : setFolded(!folded))}
            >
              {narrow ? <IconMenu2 size={19} aria-hidden /> : <IconLayoutSidebar size={18} stroke={1.7} aria-hidden />}
            </ActionIcon>
          }
        />
        <div className={styles.stage}>
          <main id="page" className={styles.page} data-flush={flush || undefined} tabIndex={-1}>
            {!flush && <VerificationBanner />}
            {state.session.admin && (
              <Suspense>
                <SendingBanner />
              </Suspense>
            )}
            <PanelSlot value={panelSlot}>{children ?? <Outlet />}</PanelSlot>
          </main>
          <div ref={setPanelSlot} className={styles.side} />
        </div>
      </div>
      {violated && (
        <Suspense>
          <ViolationNotice />
        </Suspense>
      )}
      <Welcome />
    </div>
  );
}

/** The contracts of notifications import much that the first screen does not need, so they load after the page. */
function startNotices(user: User, currency: string): () => void {
  let isStopped = false;
  let stop: (() => void) | undefined;
  void import('./notices.ts').then(({ collectNotices }) => {
    if (!isStopped) stop = collectNotices(user, currency);
  });
  return () => {
    isStopped = true;
    stop?.();
  };
}
