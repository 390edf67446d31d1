import { Button } from '@mantine/core';
import { IconMapOff } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';

export function NotFound() {
  return (
    <main style={{ display: 'grid', placeItems: 'center', minHeight: '70dvh' }}>
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
    </main>
  );
}
