import { ActionIcon, Button, Modal, MultiSelect, TextInput } from '@mantine/core';
import { RESOLUTION_TARGET_MAX_MINUTES, RESPONSE_TARGET_MAX_MINUTES } from '@parley/contract/inbox/targets.ts';
import { createTeam, type InboxTeam, listTeams, removeTeam, updateTeam } from '@parley/contract/inbox/teams.ts';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { ApiError } from '../../kernel/http/client.ts';
import { useAction, useEndpoint } from '../../kernel/http/query.ts';
import { Allow } from '../../kernel/session/allow.tsx';
import { formatCount } from '../../ui/data/format.ts';
import { confirm } from '../../ui/feedback/Confirm.tsx';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import { Buttons } from '../../ui/form/FormParts.tsx';
import styles from '../Settings.module.css';
import { useNames } from './names.ts';
import { TargetInput } from './TargetInput.tsx';

export function TeamsPart() {
  const query = useEndpoint(listTeams);
  const [editing, setEditing] = useState<InboxTeam | 'new' | null>(null);
  if (query.error)
    return (
      <ErrorState title="The teams could not be loaded" onRetry={() => void query.refetch()}>
        {query.error.message}
      </ErrorState>
    );
  if (!query.data) return <SkeletonLines lines={2} />;
  const teams = query.data.data;
  return (
    <>
      {teams.length === 0 ? (
        <p className={styles.hint}>No teams yet.</p>
      ) : (
        <ul className={styles.rows}>
          {teams.map((team) => (
            <TeamRow key={team.id} team={team} onEdit={() => setEditing(team)} />
          ))}
        </ul>
      )}
      <div>
        <Allow needs={createTeam.needs}>
          <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEditing('new')}>
            Create team
          </Button>
        </Allow>
      </div>
      {editing && <TeamDialog team={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />}
    </>
  );
}

function TeamRow({ team: { id, name, user_ids }, onEdit }: { team: InboxTeam; onEdit: () => void }) {
  const { users } = useNames();
  const remove = useAction(removeTeam);
  const ask = async () => {
    const isSure = await confirm({
      title: `Delete the team "${name}"?`,
      consequence: 'Rules that assign conversations to it leave them unassigned.',
      action: 'Delete team',
      danger: true,
    });
    if (isSure) remove.mutate({ params: { id } });
  };
  const names = user_ids.map((user) => users.get(user) ?? 'a blocked user').sort();
  return (
    <li>
      <span className={styles.rowText}>
        <bdi className={styles.rowName}>{name}</bdi>
        <span className={styles.hint}>
          {names.length === 0 ? 'No users' : names.length > 4 ? formatCount(names.length, 'user') : names.join(', ')}
        </span>
      </span>
      <Allow needs={updateTeam.needs}>
        <ActionIcon variant="subtle" aria-label={`Edit ${name}`} onClick={onEdit}>
          <IconPencil size={16} aria-hidden />
        </ActionIcon>
      </Allow>
      <Allow needs={removeTeam.needs}>
        <ActionIcon
          variant="subtle"
          aria-label={`Delete ${name}`}
          loading={remove.isPending}
          onClick={() => void ask()}
        >
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      </Allow>
    </li>
  );
}

function TeamDialog({ team, onClose }: { team: InboxTeam | null; onClose: () => void }) {
  const { users } = useNames();
  const [name, setName] = useState(team?.name ?? '');
  const [user_ids, setUsers] = useState(team?.user_ids.filter((id) => users.has(id)) ?? []);
  const [targets, setTargets] = useState({
    response_target_minutes: team?.response_target_minutes ?? null,
    resolution_target_minutes: team?.resolution_target_minutes ?? null,
  });
  const [error, setError] = useState<string | null>(null);
  const options = {
    onSuccess: onClose,
    onError: ({ errors, message }: ApiError) => setError(errors[0]?.message ?? message),
  };
  const create = useAction(createTeam, options);
  const update = useAction(updateTeam, options);
  const save = () => {
    const body = { name: name.trim(), user_ids, ...targets };
    if (team) update.mutate({ params: { id: team.id }, body });
    else create.mutate({ body });
  };
  return (
    <Modal opened onClose={onClose} title={team ? 'Edit team' : 'Create team'}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim()) save();
        }}
      >
        <TextInput
          label="Name"
          value={name}
          maxLength={40}
          error={error}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
          dir="auto"
        />
        <MultiSelect
          label="Users"
          data={[...users].map(([value, label]) => ({ value, label }))}
          value={user_ids}
          onChange={setUsers}
          searchable
          nothingFoundMessage="No users found"
        />
        <TargetInput
          label="First response target"
          value={targets.response_target_minutes}
          onChange={(response_target_minutes) => setTargets((old) => ({ ...old, response_target_minutes }))}
          max={RESPONSE_TARGET_MAX_MINUTES}
          placeholder="Same as the account"
        />
        <TargetInput
          label="Resolution target"
          value={targets.resolution_target_minutes}
          onChange={(resolution_target_minutes) => setTargets((old) => ({ ...old, resolution_target_minutes }))}
          max={RESOLUTION_TARGET_MAX_MINUTES}
          placeholder="Same as the account"
        />
        <Buttons>
          <Button type="submit" loading={create.isPending || update.isPending} disabled={!name.trim()}>
            Save team
          </Button>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
        </Buttons>
      </form>
    </Modal>
  );
}
