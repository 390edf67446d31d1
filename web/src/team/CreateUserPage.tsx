import { Button, SegmentedControl, TextInput } from '@mantine/core';
import { createInvitation, createUser, INVITATION_DAYS, ROLES } from '@parley/contract/team/team.ts';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useContractForm } from '../kernel/form/form.ts';
import { Allow } from '../kernel/session/allow.tsx';
import { useSession } from '../kernel/session/session.tsx';
import { USERS } from '../paths.ts';
import { toast } from '../ui/feedback/Toasts.tsx';
import { FormFooter, Pair } from '../ui/form/FormParts.tsx';
import { NameFields } from '../ui/form/NameFields.tsx';
import { Back } from '../ui/layout/Back.tsx';
import { PageHeader } from '../ui/layout/PageHeader.tsx';
import { PermissionFields } from './PermissionFields.tsx';
import { type Bits, within } from './roles.ts';
import { SightAside } from './SightAside.tsx';
import styles from './Team.module.css';

type Mode = 'invite' | 'create';
const WORDS = {
  invite: `They get a mail with a link that works for ${INVITATION_DAYS} days, choose their own name and password, and are listed once they have accepted. People who use Parley in another company keep their sign-in.`,
  create: 'The user is listed at once. A link to choose a password goes to the mailbox.',
};
const EMPTY = { email: '', first_name: '', last_name: '', position: '' };

export default function CreateUserPage() {
  const { permissions: giver } = useSession();
  const [mode, setMode] = useState<Mode>('invite');
  const [person, setPerson] = useState(EMPTY);
  const [permissions, setPermissions] = useState<Bits>(() => within(ROLES.agent!.permissions, giver));
  return (
    <>
      <Back to={USERS}>Users</Back>
      <PageHeader title="Add user" description={WORDS[mode]} />
      <div className={styles.page}>
        <UserForm
          key={mode}
          mode={mode}
          person={person}
          permissions={permissions}
          onPermissions={setPermissions}
          onMode={(next, typed) => {
            setPerson(typed);
            setMode(next);
          }}
        />
        <SightAside permissions={permissions} />
      </div>
    </>
  );
}

interface UserFormProps {
  mode: Mode;
  person: typeof EMPTY;
  permissions: Bits;
  onPermissions: (next: Bits) => void;
  onMode: (next: Mode, typed: typeof EMPTY) => void;
}

function UserForm({ mode, person, permissions, onPermissions, onMode }: UserFormProps) {
  const navigate = useNavigate();
  const inviting = mode === 'invite';
  const endpoint = inviting ? createInvitation : createUser;
  const { form, onSubmit, sending, problem } = useContractForm(endpoint as typeof createInvitation, {
    initial: { ...person, permissions },
    labels: { email: 'E-mail' },
    invalidates: ['users', 'invitations'],
    onDone: ({ data }) => {
      toast.success(inviting ? `The invitation is on its way to ${data.email}` : `${data.email} was created`);
      void navigate({ to: USERS, search: (inviting ? { view: 'invitations' } : {}) as never });
    },
  });
  const change = (next: Bits) => {
    form.setFieldValue('permissions', next);
    form.clearFieldError('permissions');
    onPermissions(next);
  };
  const field = (name: keyof typeof EMPTY) => ({ ...form.getInputProps(name) });
  return (
    <form className={styles.form} onSubmit={onSubmit} noValidate>
      <fieldset className={styles.group}>
        <legend>Person</legend>
        <SegmentedControl
          aria-label="How"
          value={mode}
          onChange={(next) => {
            const { permissions: _, ...typed } = form.getValues();
            onMode(next as Mode, typed);
          }}
          data={[
            { value: 'invite', label: 'Send an invitation' },
            { value: 'create', label: 'Create now' },
          ]}
        />
        <TextInput
          label="E-mail"
          type="email"
          required
          autoComplete="off"
          data-autofocus
          key={form.key('email')}
          {...field('email')}
        />
        <Pair>
          <NameFields form={form} description={inviting ? 'May be left to them.' : undefined} />
        </Pair>
        <TextInput
          label="Position"
          description="What they do here; users can be filtered by it."
          maxLength={60}
          autoComplete="off"
          key={form.key('position')}
          {...field('position')}
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
    </form>
  );
}
