import type { InboxUser } from '@parley/contract/inbox/assignments.ts';
import assign from '../assign/Assign.module.css';
import type { Mentions } from './mentions.ts';
import styles from './Notes.module.css';

interface Props {
  id: string;
  users: readonly InboxUser[];
  /** The user that Enter chooses. */
  current: InboxUser;
  mentions: Pick<Mentions, 'choose' | 'setActive'>;
}

/** The users who can be mentioned. The focus stays in the field of the note. */
export function MentionList({ id, users, current, mentions }: Props) {
  return (
    <div id={id} role="listbox" aria-label="Users" className={styles.mentions}>
      {users.map((user, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
        <div
          key={user.id}
          id={`${id}-${user.id}`}
          role="option"
          tabIndex={-1}
          aria-selected={user === current}
          className={`${assign.user} ${styles.mentioned}`}
          title={user.email}
          // The field keeps the focus.
          onMouseDown={(event) => event.preventDefault()}
          onMouseEnter={() => mentions.setActive(index)}
          onClick={() => mentions.choose(user)}
        >
          <span className={assign.initials} aria-hidden>
            {user.initials}
          </span>
          <bdi className={assign.name}>{user.full_name}</bdi>
        </div>
      ))}
    </div>
  );
}
