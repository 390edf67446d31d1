/**
 * Notifies the user that the server has a newer version of the app. The notice waits for a good moment: no unsaved
 * input, no open dialog, and either the next page, or a tab that has not been used for a while.
 */

import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { findNewBuild } from '../../kernel/build.ts';
import { hasUnsavedInput } from '../../kernel/form/unsaved.ts';
import { onConnection, readConnection } from '../../kernel/http/connection.ts';
import { brandName } from '../../ui/brand.ts';
import { toast } from '../../ui/feedback/Toasts.tsx';

const CHECK_EVERY_MS = 10 * 60_000;
const IDLE_MS = 30_000;
/** How often the notice looks for a good moment. */
const LOOK_EVERY_MS = 5_000;

/** `isLive`: the live stream is open. It breaks when the server restarts, which is when a new build appears. */
export function useNewVersion(isLive: boolean): void {
  const router = useRouter();
  useEffect(() => {
    if (!isLive) return;
    const watch = watchBuilds();
    const stopNavigation = router.subscribe('onResolved', ({ pathChanged }) => {
      if (pathChanged) watch.onNewPage();
    });
    return () => {
      watch.stop();
      stopNavigation();
    };
  }, [isLive, router]);
}

/** The build that the last notice announced. */
let announced: string | null = null;

const isTyping = (): boolean => {
  const field = document.activeElement;
  return (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) && field.value !== '';
};
const isQuiet = (): boolean => !hasUnsavedInput() && !isTyping() && !document.querySelector('[aria-modal="true"]');

function watchBuilds() {
  let newBuild: string | null = null;
  let usedAt = Date.now();
  const check = async () => {
    const build = await findNewBuild();
    if (build && build !== announced) newBuild = build;
  };
  const announce = () => {
    if (!newBuild || !isQuiet()) return;
    announced = newBuild;
    newBuild = null;
    // It stays until the user decides.
    toast.info(`A new version of ${brandName()} is available.`, {
      id: 'new-version',
      autoClose: false,
      action: { label: 'Reload', run: () => window.location.reload() },
    });
  };
  const use = () => {
    usedAt = Date.now();
  };
  const lookWhenIdle = () => {
    if (document.visibilityState === 'hidden' || Date.now() - usedAt >= IDLE_MS) announce();
  };
  void check();
  const timers = [setInterval(() => void check(), CHECK_EVERY_MS), setInterval(lookWhenIdle, LOOK_EVERY_MS)];
  const stopConnection = onConnection(() => readConnection() === 'online' && void check());
  const events = ['keydown', 'pointerdown'] as const;
  for (const event of events) document.addEventListener(event, use, true);
  return {
    onNewPage: announce,
    stop() {
      for (const timer of timers) clearInterval(timer);
      for (const event of events) document.removeEventListener(event, use, true);
      stopConnection();
    },
  };
}
