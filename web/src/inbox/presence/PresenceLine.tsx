import type { PresentUser } from '@parley/contract/inbox/presence.ts';
import { IconEye, IconPencil } from '@tabler/icons-react';
import { isolate } from '../../ui/data/text_direction.ts';
import styles from './Presence.module.css';

/** Names are listed up to this number. */
const NAMED = 2;

/** The other users who are typing in the conversation, or else those who have it open. */
export function PresenceLine({ others }: { others: readonly PresentUser[] }) {
  const typing = others.filter(({ state }) => state === 'typing');
  const shown = typing.length > 0 ? typing : others;
  const Icon = typing.length > 0 ? IconPencil : IconEye;
  return (
    <p className={styles.line} role="status" data-typing={typing.length > 0 || undefined} hidden={shown.length === 0}>
      {shown.length > 0 && (
        <>
          <Icon size={14} aria-hidden />
          <span>
            {listNames(shown)} {shown.length === 1 ? 'is' : 'are'} {typing.length > 0 ? 'typing' : 'viewing'}
          </span>
        </>
      )}
    </p>
  );
}

function listNames(users: readonly PresentUser[]): string {
  const names = users.slice(0, NAMED).map(({ full_name }) => isolate(full_name));
  const more = users.length - names.length;
  return more > 0 ? `${names.join(', ')}, and ${more} more` : names.join(' and ');
}
