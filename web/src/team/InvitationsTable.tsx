import { type Invitation, listInvitations, resendInvitation, revokeInvitation } from '@parley/contract/team/team.ts';
import { IconMailForward, IconMailX, IconUserPlus } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import { useAction } from '../kernel/http/query.ts';
import { ListTable } from '../kernel/list/ListTable.tsx';
import { useList } from '../kernel/list/list.tsx';
import { useReason } from '../kernel/session/session.tsx';
import { DateTime } from '../ui/data/DateTime.tsx';
import { StatusBadge } from '../ui/data/StatusBadge.tsx';
import type { Column } from '../ui/data/table/DataTable.tsx';
import { confirm } from '../ui/feedback/Confirm.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { toast } from '../ui/feedback/Toasts.tsx';
import { roleLabel } from './roles.ts';
import styles from './Team.module.css';
import { INVITATION_WORDS } from './words.ts';

const FILTERS = ['search', 'statuses'] as const;

const COLUMNS: Column<Invitation>[] = [
  { key: 'email', title: 'Sent to', fixed: true, width: '100%', render: (row) => <Invited invitation={row} /> },
  {
    key: 'status',
    title: 'Status',
    fixed: true,
    render: (row) => <StatusBadge status={row.status} words={INVITATION_WORDS} />,
  },
  { key: 'role', title: 'Role', narrow: false, render: (row) => roleLabel(row.permissions) },
  { key: 'by', title: 'Invited by', narrow: false, render: (row) => row.invited_by_name || '–' },
  { key: 'sent', title: 'Last sent', narrow: false, render: (row) => <DateTime value={row.send_date} /> },
  {
    key: 'expires',
    title: 'Link works until',
    narrow: false,
    render: (row) => (row.status === 'PENDING' ? <DateTime value={row.expire_date} /> : '–'),
  },
];

function Invited({ invitation: { email, first_name, last_name, position } }: { invitation: Invitation }) {
  const about = [`${first_name} ${last_name}`.trim(), position].filter(Boolean).join(', ');
  return (
    <span className={styles.person}>
      <span className={styles.name}>{email}</span>
      {about && <span className={styles.dim}>{about}</span>}
    </span>
  );
}

const closed = ({ status }: Invitation): string | null => {
  if (status === 'ACCEPTED') return 'It has been accepted.';
  return status === 'REVOKED' ? 'It has been revoked. Send a new one instead.' : null;
};

export function InvitationsTable({ add }: { add: ReactElement }) {
  const list = useList(listInvitations, { filters: FILTERS, subject: 'The invitations' });
  const mayAdd = useReason(resendInvitation);
  const resend = useAction(resendInvitation, {
    onSuccess: ({ data }) => toast.success(`A new link is on its way to ${data.email}; the old one no longer works`),
  });
  const revoke = useAction(revokeInvitation, { onSuccess: () => toast.success('The invitation was revoked') });
  const askRevoke = async ({ id, email }: Invitation) => {
    const yes = await confirm({
      title: `Revoke the invitation of ${email}?`,
      consequence: 'The link in the mail stops working at once.',
      action: 'Revoke invitation',
      danger: true,
    });
    if (yes) revoke.mutate({ params: { id } });
  };
  return (
    <ListTable
      id="invitations"
      label="Invitations"
      noun="invitations"
      list={list}
      search="Search name or e-mail"
      facets={[
        {
          key: 'statuses',
          label: 'Status',
          options: Object.entries(INVITATION_WORDS).map(([key, { label }]) => ({ value: key.toUpperCase(), label })),
        },
      ]}
      columns={COLUMNS}
      rowKey={(row) => row.id}
      rowName={(row) => row.email}
      actions={[
        {
          key: 'resend',
          label: 'Send again',
          icon: IconMailForward,
          reason: (row) => mayAdd ?? closed(row),
          onSelect: (row) => resend.mutate({ params: { id: row.id }, body: {} }),
        },
        {
          key: 'revoke',
          label: 'Revoke',
          icon: IconMailX,
          danger: true,
          reason: (row) => mayAdd ?? closed(row) ?? (row.status === 'EXPIRED' ? 'It has expired by itself.' : null),
          onSelect: (row) => void askRevoke(row),
        },
      ]}
      empty={
        <EmptyState icon={IconUserPlus} title="Nobody has been invited yet" action={add}>
          An invitation is a mail with a link; whoever follows it chooses a password and is in.
        </EmptyState>
      }
      emptyFiltered={
        <EmptyState icon={IconUserPlus} title="No invitation fits these filters">
          Take a filter away to see the others.
        </EmptyState>
      }
    />
  );
}
