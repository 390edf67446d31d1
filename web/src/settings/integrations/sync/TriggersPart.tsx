import { ActionIcon, Button, Switch } from '@mantine/core';
import type { CrmName } from '@parley/contract/crm/crm.ts';
import {
  type CrmTrigger,
  listCrmTriggerRuns,
  listCrmTriggers,
  removeCrmTrigger,
  updateCrmTrigger,
} from '@parley/contract/crm/triggers.ts';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useAction, useEndpoint } from '../../../kernel/http/query.ts';
import { formatNumber } from '../../../ui/data/format.ts';
import { confirm } from '../../../ui/feedback/Confirm.tsx';
import { ErrorState } from '../../../ui/feedback/ErrorState.tsx';
import { SkeletonLines } from '../../../ui/feedback/Skeletons.tsx';
import settings from '../../Settings.module.css';
import styles from './Sync.module.css';
import { TriggerDialog } from './TriggerDialog.tsx';

interface PartProps {
  provider: CrmName;
  label: string;
}

export function TriggersPart({ provider, label }: PartProps) {
  const query = useEndpoint(listCrmTriggers, { params: { provider } }, { refetchInterval: 5_000 });
  const [isAdding, setAdding] = useState(false);
  if (query.error)
    return (
      <ErrorState title="The messages could not be loaded" onRetry={() => void query.refetch()}>
        {query.error.message}
      </ErrorState>
    );
  if (!query.data) return <SkeletonLines lines={2} />;
  const triggers = query.data.data;
  return (
    <>
      {triggers.length === 0 ? (
        <p className={settings.hint}>No messages yet.</p>
      ) : (
        <ul className={settings.rows} aria-label="Messages from deals">
          {triggers.map((trigger) => (
            <Row key={trigger.id} trigger={trigger} />
          ))}
        </ul>
      )}
      <div>
        <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setAdding(true)}>
          Add message
        </Button>
      </div>
      {isAdding && <TriggerDialog provider={provider} label={label} onClose={() => setAdding(false)} />}
    </>
  );
}

function Row({ trigger }: { trigger: CrmTrigger }) {
  const { provider, id, stage_name, template_name, sender_name, purpose, reentry, sent_count, refused_count } = trigger;
  const params = { provider, id };
  const update = useAction(updateCrmTrigger);
  const remove = useAction(removeCrmTrigger);
  const ask = async () => {
    const isSure = await confirm({
      title: `Delete the message for "${stage_name}"?`,
      consequence: 'Deals that enter the stage will no longer send a message.',
      action: 'Delete message',
      danger: true,
    });
    if (isSure) remove.mutate({ params });
  };
  return (
    <li>
      <span className={settings.rowText}>
        <bdi className={settings.rowName}>
          {stage_name}: {template_name}
        </bdi>
        <span className={styles.changes}>
          <span>
            From {sender_name}, {purpose}, {reentry === 'once' ? 'once per deal' : 'on each entry'}.{' '}
            {formatNumber(sent_count)} sent, {formatNumber(refused_count)} not sent.
          </span>
          {refused_count > 0 && <LastReason trigger={trigger} />}
        </span>
      </span>
      <Switch
        aria-label={`Send the message for ${stage_name}`}
        checked={trigger.is_on}
        disabled={update.isPending}
        onChange={({ currentTarget: { checked } }) => update.mutate({ params, body: { is_on: checked } })}
      />
      <ActionIcon
        variant="subtle"
        aria-label={`Delete the message for ${stage_name}`}
        loading={remove.isPending}
        onClick={() => void ask()}
      >
        <IconTrash size={16} aria-hidden />
      </ActionIcon>
    </li>
  );
}

function LastReason({ trigger: { provider, id } }: { trigger: CrmTrigger }) {
  const query = useEndpoint(listCrmTriggerRuns, { params: { provider, id }, query: { page_size: 10 } });
  const refused = query.data?.data.find(({ status }) => status === 'refused');
  return refused ? (
    <span>
      Deal {refused.deal_id}: {refused.error}
    </span>
  ) : null;
}
