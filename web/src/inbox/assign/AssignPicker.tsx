import { type Assignee, listInboxUsers } from '@parley/contract/inbox/assignments.ts';
import { ASSIGN_NEEDS, type Conversation } from '@parley/contract/inbox/inbox.ts';
import { IconCheck, IconChevronDown, IconUser, IconUserOff } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useEndpoint } from '../../kernel/http/query.ts';
import { Allow } from '../../kernel/session/allow.tsx';
import { useSession } from '../../kernel/session/session.tsx';
import { SearchInput } from '../../ui/controls/SearchInput.tsx';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import { Popup } from '../../ui/layout/Popup.tsx';
import styles from './Assign.module.css';
import { useAssign } from './assign.ts';

type Assignable = Pick<Conversation, 'id' | 'assignee_id' | 'assignee_name'>;

/** A conversation's assignee, with a list of the users who can take it. */
export function AssignPicker({ conversation }: { conversation: Assignable }) {
  const { user } = useSession();
  const { assignee_id, assignee_name } = conversation;
  const label =
    assignee_id === null ? 'Unassigned' : assignee_id === user.id ? 'Me' : (assignee_name ?? 'Unknown user');
  return (
    <Popup
      label="Assign conversation"
      takesFocus
      movesByArrows
      className={styles.box}
      target={(target) => (
        <Allow needs={ASSIGN_NEEDS}>
          <button {...target} className={styles.target} data-assign aria-label={`Assigned to: ${label}. Change`}>
            <IconUser className={styles.icon} size={16} aria-hidden />
            <bdi className={`${styles.label} ${styles.assignee}`}>{label}</bdi>
            <IconChevronDown size={14} aria-hidden />
          </button>
        </Allow>
      )}
    >
      {(close) => <UserList conversation={conversation} onDone={close} />}
    </Popup>
  );
}

/** Opens the list of the conversation on the page. */
export function openAssignPicker(): void {
  document.querySelector<HTMLButtonElement>('button[data-assign]')?.click();
}

/** The current user and "Unassigned" come first. */
export function UserList({ conversation, onDone }: { conversation: Assignable; onDone: () => void }) {
  const { user } = useSession();
  const users = useEndpoint(listInboxUsers);
  const assign = useAssign();
  const [search, setSearch] = useState('');
  if (users.error)
    return (
      <ErrorState title="The users could not be loaded" onRetry={() => void users.refetch()}>
        {users.error.message}
      </ErrorState>
    );
  if (!users.data)
    return (
      <div className={styles.bones} role="status" aria-label="Loading users">
        <SkeletonLines lines={4} />
      </div>
    );
  const text = search.trim().toLowerCase();
  const matches = ({ full_name, email }: Assignee) => `${full_name} ${email}`.toLowerCase().includes(text);
  const me = users.data.data.find(({ id }) => id === user.id);
  const others = users.data.data.filter((other) => other.id !== user.id && matches(other));
  const choose = (next: Assignee | null) => {
    onDone();
    assign(conversation, next);
  };
  const matchesUnassigned = 'unassigned'.includes(text);
  const chooseFirst = () => {
    if (me && matches(me)) choose(me);
    else if (matchesUnassigned) choose(null);
    else if (others[0]) choose(others[0]);
  };
  const isCurrent = (id: string | null) => conversation.assignee_id === id;
  return (
    <>
      <SearchInput
        aria-label="Search users"
        placeholder="Name or email"
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Enter' && text !== '' && chooseFirst()}
        data-autofocus
        dir="auto"
      />
      <ul className={styles.users}>
        {me && matches(me) && (
          <UserItem user={me} name={`${me.full_name} (me)`} isCurrent={isCurrent(me.id)} onChoose={() => choose(me)} />
        )}
        {matchesUnassigned && (
          <Item icon={<IconUserOff size={15} aria-hidden />} isCurrent={isCurrent(null)} onChoose={() => choose(null)}>
            Unassigned
          </Item>
        )}
        {others.map((other) => (
          <UserItem
            key={other.id}
            user={other}
            name={other.full_name}
            isCurrent={isCurrent(other.id)}
            onChoose={() => choose(other)}
          />
        ))}
      </ul>
      {text !== '' && others.length === 0 && !(me && matches(me)) && !matchesUnassigned && (
        <p className={styles.none}>No users match this search</p>
      )}
    </>
  );
}

interface ItemProps {
  isCurrent: boolean;
  onChoose: () => void;
}

const workload = ({ away, open, capacity }: Assignee): string =>
  `${away ? 'Away, ' : ''}${capacity === null ? open : `${open} of ${capacity}`} open`;

const UserItem = ({ user, name, ...item }: ItemProps & { user: Assignee; name: string }) => (
  <Item {...item} icon={user.initials} title={user.email}>
    <bdi>{name}</bdi>
    <span className={styles.load}>{workload(user)}</span>
  </Item>
);

function Item({
  icon,
  title,
  isCurrent,
  onChoose,
  children,
}: ItemProps & { icon: ReactNode; title?: string; children: ReactNode }) {
  return (
    <li>
      <button
        type="button"
        className={styles.user}
        aria-current={isCurrent || undefined}
        title={title}
        onClick={onChoose}
      >
        <span className={styles.initials} aria-hidden>
          {icon}
        </span>
        <span className={styles.name}>{children}</span>
        {isCurrent && <IconCheck size={15} aria-hidden />}
      </button>
    </li>
  );
}
