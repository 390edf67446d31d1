import { IconLock } from '@tabler/icons-react';
import { EmptyState } from './EmptyState.tsx';

/** In the place of a page that one may not open. */
export function NotAllowed({ title, reason }: { title: string; reason: string }) {
  return (
    <EmptyState heading icon={IconLock} title={`${title} is not open to you`}>
      {reason} Ask the owner of your account to change it.
    </EmptyState>
  );
}
