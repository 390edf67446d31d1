/**
 * The parts of every page of a signed-in user: the command palette, the list of shortcuts, the Quick Reply dialog, and
 * notices about conversations, the connection, new versions, and overdue balances. A default export, because it loads
 * after the page.
 */
import { useRouter } from '@tanstack/react-router';
import { Suspense, useEffect } from 'react';
import { openOverlay, useOverlay } from '../kernel/commands.ts';
import { useSession } from '../kernel/session/session.tsx';
import { EVERYWHERE, useShortcuts } from '../kernel/shortcuts.ts';
import { cancelConfirm } from '../ui/feedback/Confirm.tsx';
import { lazyPart } from '../ui/feedback/lazy_part.ts';
import { loadToasts } from '../ui/feedback/Toasts.tsx';
import { usePreload } from '../ui/feedback/usePreload.ts';
import '../audiences/commands.ts';
import '../campaigns/commands.ts';
import '../senders/commands.ts';
import '../settings/commands.ts';
import '../templates/commands.ts';
import { useNewVersion } from './resilience/new_version.ts';
import { OfflineBanner } from './resilience/OfflineBanner.tsx';

const loadPalette = () => import('./palette/CommandPalette.tsx');
const loadShortcuts = () => import('./shortcuts/ShortcutsDialog.tsx');
const OverdueBanner = lazyPart(() => import('../billing/OverdueBanner.tsx'));
const InboxWatch = lazyPart(() => import('../inbox/watch/InboxWatch.tsx'));
const CommandPalette = lazyPart(loadPalette);
const ShortcutsDialog = lazyPart(loadShortcuts);

export default function Everywhere() {
  const overlay = useOverlay();
  // They open with a key and take the next keys, so they must be there immediately.
  usePreload(loadToasts);
  usePreload(loadPalette);
  usePreload(loadShortcuts);
  useShortcuts(EVERYWHERE, [
    { keys: 'mod+K', label: 'Search pages, actions, and records', run: () => openOverlay('palette') },
    { keys: '?', label: 'Show keyboard shortcuts', run: () => openOverlay('shortcuts') },
  ]);
  useEffect(() => () => openOverlay(null), []);
  // A question belongs to the page that asked it.
  const router = useRouter();
  useEffect(() => router.subscribe('onBeforeLoad', ({ pathChanged }) => pathChanged && cancelConfirm()), [router]);
  const { live } = useSession();
  useNewVersion(live === 'open');
  return (
    <>
      <OfflineBanner />
      <Suspense>
        <OverdueBanner />
      </Suspense>
      <Suspense>
        <InboxWatch />
      </Suspense>
      <Suspense>
        {overlay === 'palette' && <CommandPalette onClose={() => openOverlay(null)} />}
        {overlay === 'shortcuts' && <ShortcutsDialog onClose={() => openOverlay(null)} />}
      </Suspense>
    </>
  );
}
