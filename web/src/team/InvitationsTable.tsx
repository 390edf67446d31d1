import {
  INVITATION_STATUS,
  type Invitation,
  listInvitations,
  resendInvitation,
  revokeInvitation,
} from '@parley/contract/team/team.ts';
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

const FILTERS = ['search', 'statuses'] as const;

const COLUMNS: Column<Invitation>[] = [
  { key: 'email', title: 'Sent to', fixed: true, width: '100%', render: (row) => <Invited invitation={row} /> },
  {
    key: 'status',
    title: 'Status',
    card: 'corner',
    fixed: true,
    render: (row) => <StatusBadge {...INVITATION_STATUS[row.status]} />,
  },
  { key: 'role', title: 'Role', narrow: false, render: (row) => roleLabel(row.permissions) },
  { key: 'by', title: 'Invited by', card: 'hidden', narrow: false, render: (row) => row.invited_by_name || '–' },
  { key: 'sent', title: 'Last sent', narrow: false, render: (row) => <DateTime value={row.send_date} /> },
  {
    key: 'expires',
    title: 'Expires',
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

const closedReason = ({ status }: Invitation): string | null => {
  if (status === 'ACCEPTED') return 'This invitation was accepted.';
  return status === 'REVOKED' ? 'This invitation was revoked. Send a new one.' : null;
};

export function InvitationsTable({ add }: { add: ReactElement }) {
  const list = useList(listInvitations, { filters: FILTERS, subject: 'The invitations' });
  const addReason = useReason(resendInvitation);
  const resend = useAction(resendInvitation, {
    onSuccess: ({ data }) => toast.success(`A new link was sent to ${data.email}. The old one no longer works.`),
  });
  const revoke = useAction(revokeInvitation, { onSuccess: () => toast.success('The invitation was revoked') });
  const confirmRevoke = async ({ id, email }: Invitation) => {
    const confirmed = await confirm({
      title: `Revoke the invitation to ${email}?`,
      consequence: 'The link in the email stops working immediately.',
      action: 'Revoke invitation',
      danger: true,
    });
    if (confirmed) revoke.mutate({ params: { id } });
  };
  return (
    <ListTable
      id="invitations"
      label="Invitations"
      noun="invitations"
      list={list}
      search="Search by name or email"
      facets={[
        {
          key: 'statuses',
          label: 'Status',
          options: Object.entries(INVITATION_STATUS).map(([value, { label }]) => ({ value, label })),
        },
      ]}
      columns={COLUMNS}
      rowKey={(row) => row.id}
      rowName={(row) => row.email}
      actions={[
        {
          key: 'resend',
          label: 'Resend',
          icon: IconMailForward,
          reason: (row) => addReason ?? closedReason(row),
          onSelect: (row) => resend.mutate({ params: { id: row.id }, body: {} }),
        },
        {
          key: 'revoke',
          label: 'Revoke',
          icon: IconMailX,
          danger: true,
          reason: (row) =>
            addReason ?? closedReason(row) ?? (row.status === 'EXPIRED' ? 'This invitation has expired.' : null),
          onSelect: (row) => void confirmRevoke(row),
        },
      ]}
      empty={
        <EmptyState icon={IconUserPlus} title="No invitations yet" action={add}>
          An invitation is an email with a link to join this account.
        </EmptyState>
      }
      emptyFiltered={
        <EmptyState icon={IconUserPlus} title="No invitations match these filters">
          Clear a filter to see more invitations.
        </EmptyState>
      }
    />
  );
}
