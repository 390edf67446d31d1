import { Button, SegmentedControl, TextInput } from '@mantine/core';
import { createInvitation, createUser, INVITATION_DAYS, ROLES } from '@parley/contract/team/team.ts';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useContractForm } from '../kernel/form/form.ts';
import { Allow } from '../kernel/session/allow.tsx';
import { useSession } from '../kernel/session/session.tsx';
import { USERS } from '../paths.ts';
import { toast } from '../ui/feedback/Toasts.tsx';
import { Field } from '../ui/form/Field.tsx';
import { Form } from '../ui/form/Form.tsx';
import { FormFooter, Pair } from '../ui/form/FormParts.tsx';
import { NameFields } from '../ui/form/NameFields.tsx';
import { Back } from '../ui/layout/Back.tsx';
import { PageHeader } from '../ui/layout/PageHeader.tsx';
import { AccessPreview } from './AccessPreview.tsx';
import { PermissionFields } from './PermissionFields.tsx';
import { type Bits, limitTo } from './roles.ts';
import styles from './Team.module.css';

type Mode = 'invite' | 'create';
const DESCRIPTIONS = {
  invite:
    `The invitation email contains a link that is valid for ${INVITATION_DAYS} days. The user is listed once they ` +
    'accept. People who already have a sign-in keep it.',
  create: 'The user is listed immediately and gets an email with a link to choose a password.',
};
const EMPTY = { email: '', first_name: '', last_name: '', position: '' };

export default function CreateUserPage() {
  const { permissions: giver } = useSession();
  const [mode, setMode] = useState<Mode>('invite');
  const [person, setPerson] = useState(EMPTY);
  const [permissions, setPermissions] = useState<Bits>(() => limitTo(ROLES.agent!.permissions, giver));
  return (
    <>
      <Back to={USERS}>Users</Back>
      <PageHeader title="Add user" description={DESCRIPTIONS[mode]} />
      <div className={styles.page}>
        <UserForm
          key={mode}
          mode={mode}
          person={person}
          permissions={permissions}
          onPermissions={setPermissions}
          onMode={(next, entered) => {
            setPerson(entered);
            setMode(next);
          }}
        />
        <AccessPreview permissions={permissions} />
      </div>
    </>
  );
}

interface UserFormProps {
  mode: Mode;
  person: typeof EMPTY;
  permissions: Bits;
  onPermissions: (next: Bits) => void;
  onMode: (next: Mode, entered: typeof EMPTY) => void;
}

function UserForm({ mode, person, permissions, onPermissions, onMode }: UserFormProps) {
  const navigate = useNavigate();
  const inviting = mode === 'invite';
  const endpoint = inviting ? createInvitation : createUser;
  const { form, bind, sending, problem } = useContractForm(endpoint as typeof createInvitation, {
    initial: { ...person, permissions },
    labels: { email: 'Email' },
    invalidates: ['users', 'invitations'],
    onDone: ({ data }) => {
      toast.success(inviting ? `The invitation was sent to ${data.email}` : `The user ${data.email} was created`);
      void navigate({ to: USERS, search: (inviting ? { view: 'invitations' } : {}) as never });
    },
  });
  const change = (next: Bits) => {
    form.setFieldValue('permissions', next);
    form.clearFieldError('permissions');
    onPermissions(next);
  };
  return (
    <Form {...bind} className={styles.form}>
      <fieldset className={styles.group}>
        <legend>Person</legend>
        <SegmentedControl
          aria-label="How to add the user"
          value={mode}
          onChange={(next) => {
            const { permissions: _, ...entered } = form.getValues();
            onMode(next as Mode, entered);
          }}
          data={[
            { value: 'invite', label: 'Send invitation' },
            { value: 'create', label: 'Create user' },
          ]}
        />
        <Field form={form} name="email" as={TextInput} label="Email" type="email" autoComplete="off" data-autofocus />
        <Pair>
          <NameFields form={form} description={inviting ? 'They can add it later.' : undefined} />
        </Pair>
        <Field
          form={form}
          name="position"
          as={TextInput}
          label="Position"
          description="You can filter users by position."
          maxLength={60}
          autoComplete="off"
        />
      </fieldset>
      <PermissionFields
        value={permissions}
        onChange={change}
        error={typeof form.errors.permissions === 'string' ? form.errors.permissions : null}
      />
      <FormFooter problem={problem}>
        <Allow needs={endpoint}>
          <Button type="submit" loading={sending}>
            {inviting ? 'Send invitation' : 'Create user'}
          </Button>
        </Allow>
        <Button variant="default" component={Link} to={USERS}>
          Cancel
        </Button>
      </FormFooter>
    </Form>
  );
}
