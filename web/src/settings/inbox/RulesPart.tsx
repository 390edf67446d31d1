import { ActionIcon, Button, Switch } from '@mantine/core';
import { createRule, type InboxRule, listRules, removeRule, updateRule } from '@parley/contract/inbox/rules.ts';
import { IconArrowDown, IconArrowUp, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { useAction, useEndpoint } from '../../kernel/http/query.ts';
import { Allow } from '../../kernel/session/allow.tsx';
import { useReason } from '../../kernel/session/session.tsx';
import { confirm } from '../../ui/feedback/Confirm.tsx';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { lazyPart } from '../../ui/feedback/lazy_part.ts';
import { SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import styles from '../Settings.module.css';
import { useNames } from './names.ts';
import { ruleLine } from './rule_words.ts';

const RuleDialog = lazyPart(() => import('./RuleDialog.tsx'));

export function RulesPart() {
  const query = useEndpoint(listRules);
  const [editing, setEditing] = useState<InboxRule | 'new' | null>(null);
  if (query.error)
    return (
      <ErrorState title="The rules could not be loaded" onRetry={() => void query.refetch()}>
        {query.error.message}
      </ErrorState>
    );
  if (!query.data) return <SkeletonLines lines={3} />;
  const rules = query.data.data;
  return (
    <>
      {rules.length === 0 ? (
        <p className={styles.hint}>No rules yet. New conversations stay unassigned.</p>
      ) : (
        <ol className={styles.rows}>
          {rules.map((rule, n) => (
            <RuleRow key={rule.id} rule={rule} isFirst={n === 0} isLast={n === rules.length - 1} onEdit={setEditing} />
          ))}
        </ol>
      )}
      <div>
        <Allow needs={createRule.needs}>
          <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEditing('new')}>
            Create rule
          </Button>
        </Allow>
      </div>
      {editing && (
        <Suspense>
          <RuleDialog rule={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />
        </Suspense>
      )}
    </>
  );
}

interface RowProps {
  rule: InboxRule;
  isFirst: boolean;
  isLast: boolean;
  onEdit: (rule: InboxRule) => void;
}

function RuleRow({ rule, isFirst, isLast, onEdit }: RowProps) {
  const names = useNames();
  const reason = useReason(updateRule.needs);
  const update = useAction(updateRule);
  const remove = useAction(removeRule);
  const { id, name, enabled, position } = rule;
  const change = (body: { enabled?: boolean; position?: number }) => update.mutate({ params: { id }, body });
  const ask = async () => {
    const isSure = await confirm({
      title: `Delete the rule "${name}"?`,
      consequence: 'Conversations that it has already handled do not change.',
      action: 'Delete rule',
      danger: true,
    });
    if (isSure) remove.mutate({ params: { id } });
  };
  return (
    <li>
      <Switch
        aria-label={`Rule ${name}`}
        checked={enabled}
        disabled={reason !== null || update.isPending}
        onChange={(event) => change({ enabled: event.currentTarget.checked })}
      />
      <span className={styles.rowText}>
        <bdi className={styles.rowName}>{name}</bdi>
        <span className={styles.hint}>{ruleLine(rule, names)}</span>
      </span>
      <ActionIcon
        variant="subtle"
        aria-label={`Move ${name} up`}
        disabled={isFirst || reason !== null || update.isPending}
        onClick={() => change({ position: position - 1 })}
      >
        <IconArrowUp size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        aria-label={`Move ${name} down`}
        disabled={isLast || reason !== null || update.isPending}
        onClick={() => change({ position: position + 1 })}
      >
        <IconArrowDown size={16} aria-hidden />
      </ActionIcon>
      <Allow needs={updateRule.needs}>
        <ActionIcon variant="subtle" aria-label={`Edit ${name}`} onClick={() => onEdit(rule)}>
          <IconPencil size={16} aria-hidden />
        </ActionIcon>
      </Allow>
      <Allow needs={removeRule.needs}>
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
