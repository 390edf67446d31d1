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
        title="There is no page at this address"
        action={
          <Button component={Link} to="/">
            Go to the start page
          </Button>
        }
      >
        The link may be old, or something in it was mistyped.
      </EmptyState>
    </main>
  );
}
