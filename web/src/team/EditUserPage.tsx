import { Button, TextInput } from '@mantine/core';
import { USER_STATUS } from '@parley/contract/accounts/accounts.ts';
import { getTeamUser, type TeamUser, updateUser } from '@parley/contract/team/team.ts';
import { IconEye, IconUsers } from '@tabler/icons-react';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useContractForm } from '../kernel/form/form.ts';
import { useEndpoint } from '../kernel/http/query.ts';
import { RecordPage } from '../kernel/record/RecordPage.tsx';
import { useReason, useSession } from '../kernel/session/session.tsx';
import { MY_USER, USERS } from '../paths.ts';
import { StatusBadge } from '../ui/data/StatusBadge.tsx';
import { Notice } from '../ui/feedback/Notice.tsx';
import { toast } from '../ui/feedback/Toasts.tsx';
import { Field } from '../ui/form/Field.tsx';
import { Form } from '../ui/form/Form.tsx';
import { Pair } from '../ui/form/FormParts.tsx';
import { NameFields } from '../ui/form/NameFields.tsx';
import { SaveBar } from '../ui/form/SaveBar.tsx';
import { Back } from '../ui/layout/Back.tsx';
import { PageHeader } from '../ui/layout/PageHeader.tsx';
import { AccessPanel } from './AccessPanel.tsx';
import { AccessPreview } from './AccessPreview.tsx';
import { PermissionFields } from './PermissionFields.tsx';
import type { Bits } from './roles.ts';
import styles from './Team.module.css';
import { UserActions } from './UserActions.tsx';
import { userName } from './user_actions.ts';

export default function EditUserPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const query = useEndpoint(getTeamUser, { params: { id } });
  return (
    <RecordPage query={query} noun="user" icon={IconUsers} back={<Back to={USERS}>Users</Back>}>
      {(user) => <EditUser key={user.id} user={user} />}
    </RecordPage>
  );
}

function EditUser({ user }: { user: TeamUser }) {
  const { user: self } = useSession();
  const navigate = useNavigate();
  const [permissions, setPermissions] = useState(user.permissions as Bits);
  const [isPreviewOpen, setPreviewOpen] = useState(false);
  const locked = user.is_owner ? 'owner' : user.id === self.id ? 'self' : null;
  return (
    <>
      <PageHeader
        title={userName(user)}
        description={user.email}
        badge={<StatusBadge {...USER_STATUS[user.status]} reason={user.block_reason || null} />}
        secondary={<UserActions user={user} onGone={() => void navigate({ to: USERS })} />}
        action={
          <Button
            variant="default"
            leftSection={<IconEye size={16} aria-hidden />}
            onClick={() => setPreviewOpen(true)}
          >
            Preview access
          </Button>
        }
      />
      <div className={styles.page}>
        <EditForm user={user} permissions={permissions} onPermissions={setPermissions} locked={locked} />
        <AccessPreview permissions={permissions} />
      </div>
      <AccessPanel
        name={userName(user)}
        permissions={permissions}
        open={isPreviewOpen}
        onClose={() => setPreviewOpen(false)}
      />
    </>
  );
}

interface EditFormProps {
  user: TeamUser;
  permissions: Bits;
  onPermissions: (next: Bits) => void;
  /** Why the user cannot be edited. */
  locked: 'owner' | 'self' | null;
}

function EditForm({ user, permissions, onPermissions, locked }: EditFormProps) {
  const reason = useReason(updateUser.needs);
  const { form, bind, saveBar } = useContractForm(updateUser, {
    initial: {
      first_name: user.first_name,
      last_name: user.last_name,
      position: user.position,
      permissions: user.permissions as Bits,
    },
    input: (body) => ({ params: { id: user.id }, body }),
    onDone: ({ data }) => toast.success(`${userName(data)} was saved`),
    onDiscard: (values) => onPermissions(values.permissions),
  });
  const change = (next: Bits) => {
    form.setFieldValue('permissions', next);
    form.clearFieldError('permissions');
    onPermissions(next);
  };
  return (
    <Form {...bind} className={styles.form}>
      {locked === 'owner' && (
        <Notice tone="info">
          The owner has all permissions. The owner’s permissions cannot be changed, and the owner cannot be deleted.
        </Notice>
      )}
      {locked === 'self' && (
        <Notice
          tone="info"
          action={
            <Button component={Link} to={MY_USER} size="xs" variant="default">
              My user
            </Button>
          }
        >
          This is you. Only another user can change your permissions. You can edit your name on the My user page.
        </Notice>
      )}
      <fieldset className={styles.group}>
        <legend>Person</legend>
        <Pair>
          <NameFields form={form} readOnly={locked !== null} />
        </Pair>
        <Field
          form={form}
          name="position"
          as={TextInput}
          label="Position"
          maxLength={60}
          autoComplete="off"
          readOnly={locked !== null}
        />
      </fieldset>
      <PermissionFields
        value={permissions}
        onChange={change}
        readOnly={locked !== null}
        error={typeof form.errors.permissions === 'string' ? form.errors.permissions : null}
      />
      {locked === null && <SaveBar {...saveBar} save="Save user" reason={reason} />}
    </Form>
  );
}
