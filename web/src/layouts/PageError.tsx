import { Button } from '@mantine/core';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { findNewBuild } from '../kernel/build.ts';
import { hasUnsavedInput } from '../kernel/form/unsaved.ts';
import { onConnection, readConnection } from '../kernel/http/connection.ts';
import { PageLoadError } from '../kernel/session/lazy_page.tsx';
import { brandName } from '../ui/brand.ts';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { ErrorState } from '../ui/feedback/ErrorState.tsx';

/** Replaces a page that failed to load or render. The rest of the app keeps working. */
export function PageError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return (
    <div style={{ display: 'grid', placeItems: 'center', minHeight: '60dvh' }}>
      {error instanceof PageLoadError ? (
        <NotLoaded onRetry={retry} />
      ) : (
        <ErrorState title="Something went wrong on this page" onRetry={retry}>
          Nothing was changed. If this happens again, report this error:{' '}
          {error instanceof Error ? error.message : String(error)}
        </ErrorState>
      )}
    </div>
  );
}

/** The build that this tab was reloaded for, so that a server with two builds does not make it reload forever. */
const RELOADED_KEY = 'parley.reloaded_for';

/**
 * The page's code is missing. It is loaded again when the connection is back. If the server has a new build, the tab's
 * code is gone, and only a reload helps; the tab reloads automatically if nothing would be lost.
 */
function NotLoaded({ onRetry }: { onRetry: () => void }) {
  const [isGone, setGone] = useState(false);
  useEffect(() => {
    let isUnmounted = false;
    void findNewBuild().then((build) => {
      if (!build || isUnmounted) return;
      if (hasUnsavedInput() || sessionStorage.getItem(RELOADED_KEY) === build) return setGone(true);
      sessionStorage.setItem(RELOADED_KEY, build);
      window.location.reload();
    });
    return () => {
      isUnmounted = true;
    };
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `onRetry` is created anew on each render
  useEffect(() => onConnection(() => readConnection() === 'online' && onRetry()), []);
  if (isGone)
    return (
      <EmptyState
        heading
        title={`${brandName()} was updated`}
        action={<Button onClick={() => window.location.reload()}>Reload</Button>}
      >
        This page is part of a newer version. Reload to open it.
      </EmptyState>
    );
  return (
    <ErrorState title="The page could not be loaded" onRetry={onRetry}>
      The server could not be reached. Check your connection and try again.
    </ErrorState>
  );
}
