import { IconLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { EmptyState } from './EmptyState.tsx';

export interface NotAllowedProps {
  title: string;
  reason: string;
  /** What can be done about it, in words. */
  more?: string | null;
  action?: ReactNode;
}

/** In the place of a page that one may not open. */
export function NotAllowed({ title, reason, more, action }: NotAllowedProps) {
  return (
    <EmptyState heading icon={IconLock} title={`You cannot open “${title}”`} action={action}>
      {reason} {more}
    </EmptyState>
  );
}
