import { NumberInput, Switch } from '@mantine/core';
import { type InboxAgent, listAgents, MAX_CAPACITY, updateAgent } from '@parley/contract/inbox/teams.ts';
import { useState } from 'react';
import { useAction, useEndpoint } from '../../kernel/http/query.ts';
import { useReason, useSession } from '../../kernel/session/session.tsx';
import { formatNumber } from '../../ui/data/format.ts';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import styles from '../Settings.module.css';

export function AgentsPart() {
  const query = useEndpoint(listAgents);
  if (query.error)
    return (
      <ErrorState title="The users could not be loaded" onRetry={() => void query.refetch()}>
        {query.error.message}
      </ErrorState>
    );
  if (!query.data) return <SkeletonLines lines={3} />;
  return (
    <ul className={styles.rows}>
      {query.data.data.map((agent) => (
        <AgentRow key={agent.id} agent={agent} />
      ))}
    </ul>
  );
}

function AgentRow({ agent: { id, full_name, away, capacity, open } }: { agent: InboxAgent }) {
  const { user } = useSession();
  const reason = useReason('CONVERSATIONS:edit');
  const update = useAction(updateAgent);
  const [typed, setTyped] = useState<number | null>(capacity);
  const save = () => {
    if (typed !== capacity) update.mutate({ params: { id }, body: { capacity: typed } });
  };
  return (
    <li>
      <span className={styles.rowText}>
        <bdi className={styles.rowName}>{full_name}</bdi>
        <span className={styles.hint}>{formatNumber(open)} open</span>
      </span>
      <NumberInput
        aria-label={`Most open conversations of ${full_name}`}
        placeholder="No limit"
        leftSection="Max."
        leftSectionWidth={44}
        size="xs"
        w={128}
        min={1}
        max={MAX_CAPACITY}
        allowDecimal={false}
        hideControls
        disabled={reason !== null}
        value={typed ?? ''}
        onChange={(value) => setTyped(typeof value === 'number' ? value : null)}
        onBlur={save}
        onKeyDown={(event) => event.key === 'Enter' && save()}
      />
      <Switch
        label="Away"
        aria-label={`${full_name} is away`}
        checked={away}
        disabled={(reason !== null && id !== user.id) || update.isPending}
        onChange={(event) => update.mutate({ params: { id }, body: { away: event.currentTarget.checked } })}
      />
    </li>
  );
}
