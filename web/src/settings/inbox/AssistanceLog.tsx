/**
 * The input, output, and cost of the language model's requests. Only the owner can see them. A default export, because
 * it loads on its own.
 */
import { ACTION_RULES, ASSISTANCE_ACTIONS } from '@parley/contract/assistance/actions.ts';
import {
  ASSISTANCE_STATUS,
  ASSISTANCE_STATUSES,
  type AssistanceRequest,
  listAssistanceRequests,
} from '@parley/contract/assistance/assistance.ts';
import { IconSparkles } from '@tabler/icons-react';
import { ListTable } from '../../kernel/list/ListTable.tsx';
import { useList } from '../../kernel/list/list.tsx';
import { usePanel } from '../../kernel/list/panel.ts';
import { CodeBlock } from '../../ui/data/CodeBlock.tsx';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { formatNumber } from '../../ui/data/format.ts';
import { Money } from '../../ui/data/Money.tsx';
import { StatusBadge } from '../../ui/data/StatusBadge.tsx';
import type { Column } from '../../ui/data/table/DataTable.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { Fields, SidePanel } from '../../ui/layout/SidePanel.tsx';
import styles from '../Settings.module.css';

const FILTERS = ['actions', 'statuses'] as const;

const COLUMNS: Column<AssistanceRequest>[] = [
  { key: 'time', title: 'Time', card: 'subtitle', render: (row) => <DateTime value={row.create_date} /> },
  {
    key: 'status',
    title: 'Status',
    card: 'corner',
    fixed: true,
    render: (row) => <StatusBadge {...ASSISTANCE_STATUS[row.status]} />,
  },
  {
    key: 'action',
    title: 'Action',
    card: 'title',
    fixed: true,
    width: '100%',
    render: (row) => ACTION_RULES[row.action].label,
  },
  { key: 'user', title: 'User', render: (row) => <bdi>{row.user_name}</bdi> },
  { key: 'model', title: 'Model', narrow: false, hidden: true, render: (row) => row.model },
  {
    key: 'tokens',
    title: 'Tokens',
    align: 'end',
    narrow: false,
    render: (row) => `${formatNumber(row.input_tokens)} + ${formatNumber(row.output_tokens)}`,
  },
  {
    key: 'cost',
    title: 'Cost',
    align: 'end',
    render: (row) => <Money micros={row.cost_micros} currency="USD" exact />,
  },
];

export default function AssistanceLog() {
  const panel = usePanel();
  const list = useList(listAssistanceRequests, { filters: FILTERS, subject: 'The requests' });
  const opened = list.rows?.find(({ id }) => id === panel.id);
  return (
    <>
      <ListTable
        id="assistance_requests"
        label="Requests"
        noun="requests"
        list={list}
        facets={[
          {
            key: 'actions',
            label: 'Action',
            options: ASSISTANCE_ACTIONS.map((value) => ({ value, label: ACTION_RULES[value].label })),
          },
          {
            key: 'statuses',
            label: 'Status',
            options: ASSISTANCE_STATUSES.map((value) => ({ value, ...ASSISTANCE_STATUS[value] })),
          },
        ]}
        columns={COLUMNS}
        rowKey={(row) => row.id}
        rowName={(row) => ACTION_RULES[row.action].label}
        onOpen={(row) => panel.open(row.id)}
        openKey={panel.id}
        empty={
          <EmptyState icon={IconSparkles} title="No requests yet">
            Requests appear here when users ask for assistance in the inbox.
          </EmptyState>
        }
        emptyFiltered={
          <EmptyState icon={IconSparkles} title="No requests match these filters">
            Clear a filter.
          </EmptyState>
        }
      />
      <SidePanel
        open={opened !== undefined}
        onClose={panel.close}
        title={opened ? ACTION_RULES[opened.action].label : 'Request'}
        recordId={opened?.id}
      >
        {opened && <Details request={opened} />}
      </SidePanel>
    </>
  );
}

function Details({ request }: { request: AssistanceRequest }) {
  const { create_date, user_name, model, input_tokens, output_tokens, cost_micros, duration_ms, error } = request;
  return (
    <div className={styles.form}>
      <Fields
        fields={[
          { label: 'Time', value: <DateTime value={create_date} /> },
          { label: 'User', value: <bdi>{user_name}</bdi> },
          { label: 'Model', value: model },
          { label: 'Input tokens', value: formatNumber(input_tokens) },
          { label: 'Output tokens', value: formatNumber(output_tokens) },
          { label: 'Cost', value: <Money micros={cost_micros} currency="USD" exact /> },
          { label: 'Duration', value: duration_ms === null ? '–' : `${formatNumber(duration_ms)} ms` },
          ...(error ? [{ label: 'Error', value: error }] : []),
        ]}
      />
      <Text title="Prompt" text={readable(request.prompt)} />
      {request.response !== '' && <Text title="Response" text={request.response} />}
    </div>
  );
}

function Text({ title, text }: { title: string; text: string }) {
  return (
    <section aria-label={title}>
      <h3 className={styles.sectionTitle}>{title}</h3>
      <CodeBlock label={title} code={text} />
    </section>
  );
}

/** The prompt is one JSON value. */
function readable(prompt: string): string {
  try {
    return JSON.stringify(JSON.parse(prompt), null, 2);
  } catch {
    return prompt;
  }
}
