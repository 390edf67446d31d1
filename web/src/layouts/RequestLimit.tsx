import { Button } from '@mantine/core';
import { IconHourglass } from '@tabler/icons-react';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';

/** Shown instead of the app if startup hits the rate limit. The user stays signed in. Loaded lazily. */
export default function RequestLimit() {
  return (
    <main style={{ display: 'grid', placeItems: 'center', minHeight: '100dvh' }}>
      <EmptyState
        icon={IconHourglass}
        title="Limit exceeded"
        action={<Button onClick={() => window.location.reload()}>Try again</Button>}
      >
        Limit exceeded: You have exceeded requests limit per second, try later.
      </EmptyState>
    </main>
  );
}
