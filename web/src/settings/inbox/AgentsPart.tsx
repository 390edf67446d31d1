import { Button, NumberInput, Switch } from '@mantine/core';
import { CHANNELS, type ChannelName } from '@parley/contract/channels/names.ts';
import { type InboxAgent, listAgents, MAX_CAPACITY, updateAgent } from '@parley/contract/inbox/teams.ts';
import { useState } from 'react';
import { channelLabel } from '../../channels/index.ts';
import { useAction, useEndpoint } from '../../kernel/http/query.ts';
import { useReason, useSession } from '../../kernel/session/session.tsx';
import { formatNumber } from '../../ui/data/format.ts';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import { Popup } from '../../ui/layout/Popup.tsx';
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

const openText = ({ open, open_by_channel }: InboxAgent): string => {
  const parts = CHANNELS.flatMap((name) =>
    open_by_channel[name] ? [`${formatNumber(open_by_channel[name])} ${channelLabel(name)}`] : [],
  );
  return `${formatNumber(open)} open${parts.length > 0 ? `: ${parts.join(', ')}` : ''}`;
};

function AgentRow({ agent }: { agent: InboxAgent }) {
  const { id, full_name, away, capacity } = agent;
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
        <span className={styles.hint}>{openText(agent)}</span>
      </span>
      <NumberInput
        aria-label={`Maximum open conversations of ${full_name}`}
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
      <ChannelLimits agent={agent} isReadOnly={reason !== null} />
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

interface LimitProps {
  agent: InboxAgent;
  isReadOnly: boolean;
}

/** The limits for individual channels, behind a button. */
function ChannelLimits(props: LimitProps) {
  const count = Object.keys(props.agent.channel_capacities).length;
  return (
    <Popup
      label={`Limits of ${props.agent.full_name} by channel`}
      takesFocus
      className={styles.limits}
      target={(target) => (
        <Button {...target} size="compact-sm" variant="default">
          {count === 0 ? 'By channel' : `By channel (${count})`}
        </Button>
      )}
    >
      {() => <LimitFields {...props} />}
    </Popup>
  );
}

/** Every change is saved with the earlier ones, because the answer to the last request may still be on its way. */
function LimitFields({ agent, isReadOnly }: LimitProps) {
  const [limits, setLimits] = useState(agent.channel_capacities);
  const update = useAction(updateAgent);
  const save = (channel: ChannelName, typed: string) => {
    const limit = typed === '' ? null : Math.min(MAX_CAPACITY, Math.max(1, Number(typed)));
    if ((limits[channel] ?? null) === limit) return;
    const { [channel]: _, ...rest } = limits;
    const next = limit === null ? rest : { ...rest, [channel]: limit };
    setLimits(next);
    update.mutate({ params: { id: agent.id }, body: { channel_capacities: next } });
  };
  return CHANNELS.map((channel) => (
    <NumberInput
      key={channel}
      label={channelLabel(channel)}
      placeholder="No limit"
      size="xs"
      min={1}
      max={MAX_CAPACITY}
      allowDecimal={false}
      allowNegative={false}
      hideControls
      disabled={isReadOnly}
      defaultValue={limits[channel] ?? ''}
      onBlur={({ currentTarget: { value } }) => save(channel, value)}
      onKeyDown={({ key, currentTarget: { value } }) => key === 'Enter' && save(channel, value)}
    />
  ));
}
