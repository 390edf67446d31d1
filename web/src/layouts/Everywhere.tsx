/**
 * What every page of a signed-in user has: the command palette and the list of shortcuts. A default export, because it
 * loads after the page.
 */
import { lazy, Suspense, useEffect } from 'react';
import { openOverlay, useOverlay } from '../kernel/commands.ts';
import { EVERYWHERE, useShortcuts } from '../kernel/shortcuts.ts';
import '../settings/commands.ts';

const CommandPalette = lazy(() => import('./palette/CommandPalette.tsx'));
const ShortcutsDialog = lazy(() => import('./shortcuts/ShortcutsDialog.tsx'));

export default function Everywhere() {
  const overlay = useOverlay();
  useShortcuts(EVERYWHERE, [
    { keys: 'mod+K', label: 'Search pages, actions, and records', run: () => openOverlay('palette') },
    { keys: '?', label: 'Show keyboard shortcuts', run: () => openOverlay('shortcuts') },
  ]);
  useEffect(() => () => openOverlay(null), []);
  return (
    <Suspense>
      {overlay === 'palette' && <CommandPalette onClose={() => openOverlay(null)} />}
      {overlay === 'shortcuts' && <ShortcutsDialog onClose={() => openOverlay(null)} />}
    </Suspense>
  );
}
