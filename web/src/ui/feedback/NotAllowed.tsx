import { IconLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { EmptyState } from './EmptyState.tsx';

interface NotAllowedProps {
  title: string;
  reason: string;
  /** The next step for the user. */
  more?: string | null;
  action?: ReactNode;
}

/** Shown in place of a page that the user may not open. */
export function NotAllowed({ title, reason, more, action }: NotAllowedProps) {
  return (
    <EmptyState heading icon={IconLock} title={`You cannot open “${title}”`} action={action}>
      {reason} {more}
    </EmptyState>
  );
}
