/** The content rules, for operators. */
import { Button } from '@mantine/core';
import {
  CONTENT_ACTION_WORDS,
  CONTENT_KIND_WORDS,
  type ContentRule,
  createContentRule,
  listContentRules,
  removeContentRule,
} from '@parley/contract/guard/content_rules.ts';
import { IconPlus, IconShieldCheck, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useAction, useEndpoint } from '../../kernel/http/query.ts';
import { usePanel } from '../../kernel/list/panel.ts';
import { Allow } from '../../kernel/session/allow.tsx';
import { useReason } from '../../kernel/session/session.tsx';
import { reviewsPath } from '../../paths.ts';
import { Figure } from '../../ui/data/Figure.tsx';
import { formatNumber } from '../../ui/data/format.ts';
import { type Column, DataTable } from '../../ui/data/table/DataTable.tsx';
import { confirm } from '../../ui/feedback/Confirm.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import styles from '../Admin.module.css';
import cells from './Reviews.module.css';
import { RulePanel } from './RulePanel.tsx';
import { describeCountries, describeRule, describeScope } from './rule_words.ts';

const COLUMNS: Column<ContentRule>[] = [
  {
    key: 'name',
    title: 'Rule',
    fixed: true,
    width: '100%',
    render: (row) => (
      <span className={styles.stack}>
        <span className={styles.name}>{row.name}</span>
        <span className={styles.under}>{describeRule(row)}</span>
      </span>
    ),
  },
  { key: 'kind', title: 'Type', hidden: true, narrow: false, render: (row) => CONTENT_KIND_WORDS[row.kind].label },
  {
    key: 'action',
    title: 'Action',
    card: 'corner',
    fixed: true,
    render: (row) => (row.enabled ? CONTENT_ACTION_WORDS[row.action].label : 'Off'),
  },
  {
    key: 'scope',
    title: 'Accounts',
    card: 'subtitle',
    narrow: false,
    render: (row) => <span className={cells.cell}>{describeScope(row)}</span>,
  },
  {
    key: 'countries',
    title: 'Countries',
    narrow: false,
    render: (row) => <span className={cells.cell}>{describeCountries(row)}</span>,
  },
  {
    key: 'waiting',
    title: 'Waiting',
    align: 'end',
    narrow: false,
    render: (row) => (
      <Figure
        href={row.waiting > 0 ? reviewsPath({ rule_id: row.id }) : undefined}
        label={`${formatNumber(row.waiting)} messages held by ${row.name}`}
      >
        {formatNumber(row.waiting)}
      </Figure>
    ),
  },
];

export default function ContentRulesPage() {
  const panel = usePanel();
  const [isAdding, setAdding] = useState(false);
  const query = useEndpoint(listContentRules, {});
  const rows = query.data?.data;
  const reason = useReason(removeContentRule.needs);
  const remove = useAction(removeContentRule, { onSuccess: () => toast.success('The rule was deleted') });
  const confirmRemoval = async ({ id, name }: ContentRule) => {
    const confirmed = await confirm({
      title: `Delete the rule ${name}?`,
      consequence: 'Messages already in review remain in review.',
      action: 'Delete rule',
      danger: true,
    });
    if (confirmed) remove.mutate({ params: { id } });
  };
  const add = (
    <Allow needs={createContentRule}>
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setAdding(true)}>
        Add rule
      </Button>
    </Allow>
  );
  const rule = rows?.find(({ id }) => id === panel.id) ?? null;
  return (
    <>
      <PageHeader
        title="Content rules"
        description="Hold, refuse, or report messages based on their links, names, or words."
        action={add}
      />
      <DataTable
        id="content_rules"
        label="Content rules"
        rows={rows}
        fetching={query.isFetching}
        error={
          query.error && (
            <ErrorState
              title="The rules could not be loaded"
              onRetry={() => void query.refetch()}
              retrying={query.isFetching}
            >
              {query.error.message}
            </ErrorState>
          )
        }
        columns={COLUMNS}
        rowKey={(row) => row.id}
        rowName={(row) => row.name}
        onOpen={(row) => panel.open(row.id)}
        openKey={panel.id}
        actions={[
          {
            key: 'delete',
            label: 'Delete',
            icon: IconTrash,
            danger: true,
            reason: () => reason,
            onSelect: (row) => void confirmRemoval(row),
          },
        ]}
        empty={
          <EmptyState icon={IconShieldCheck} title="No content rules yet" action={add}>
            Add a rule to hold phishing links, look-alike brands, or forbidden words before they reach a carrier.
          </EmptyState>
        }
      />
      <RulePanel
        open={isAdding || rule !== null}
        rule={isAdding ? null : rule}
        onClose={() => {
          setAdding(false);
          if (panel.id !== null) panel.close();
        }}
      />
    </>
  );
}
