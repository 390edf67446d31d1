import { Button } from '@mantine/core';
import { IconMapOff } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useSessionContext } from '../kernel/session/session.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { LazyFrame } from './frame/LazyFrame.tsx';
import { Private } from './Private.tsx';

/** For paths that match no route. Signed-in users keep the menu. */
export function UnknownPath() {
  const { state } = useSessionContext();
  if (state.kind !== 'in')
    return (
      <main>
        <NotFound />
      </main>
    );
  return (
    <Private>
      <LazyFrame>
        <NotFound />
      </LazyFrame>
    </Private>
  );
}

/** For a known path whose page does not exist for this user. It replaces the page within its layout. */
export function NotFound() {
  return (
    <div style={{ display: 'grid', placeItems: 'center', minHeight: '70dvh' }}>
      <EmptyState
        icon={IconMapOff}
        heading
        title="Page not found"
        action={
          <Button component={Link} to="/">
            Go to the dashboard
          </Button>
        }
      >
        The link may be outdated or mistyped.
      </EmptyState>
    </div>
  );
}
