/** Tests a connection with one message and applies the settings that the result suggests. */
import { Button, TextInput } from '@mantine/core';
import {
  type ConnectionTest,
  createConnectionTest,
  getConnectionTest,
  isRunning,
  type Proposal,
  previewConnectionTest,
  type ShownRequest,
  TEST_STATE,
} from '@parley/contract/connections/connection_tests.ts';
import { type Connection, updateConnection } from '@parley/contract/connections/connections.ts';
import { useState } from 'react';
import { useContractForm } from '../../kernel/form/form.ts';
import { useAction, useEndpoint } from '../../kernel/http/query.ts';
import { Allow } from '../../kernel/session/allow.tsx';
import { StatusBadge } from '../../ui/data/StatusBadge.tsx';
import { type Column, DataTable } from '../../ui/data/table/DataTable.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { Field } from '../../ui/form/Field.tsx';
import { Form } from '../../ui/form/Form.tsx';
import { FormFooter, Pair } from '../../ui/form/FormParts.tsx';
import { Fields } from '../../ui/layout/SidePanel.tsx';
import styles from '../Admin.module.css';
import { ExchangeView, RequestView } from './HttpExchangeView.tsx';
import { settingLabel, settingValue } from './words.ts';

const POLL_MS = 1_000;

interface TesterProps {
  connection: Connection;
}

export function ConnectionTester({ connection }: TesterProps) {
  const [test_id, setTest] = useState<string | null>(null);
  return (
    <>
      <p className={styles.hint}>
        {connection.adapter === 'smpp'
          ? 'Sends a free message to your phone and compares the carrier’s response and receipt with the settings.'
          : 'Sends a message to your phone and shows the request, the response, and the delivery receipt.'}{' '}
        Routes and the stop list do not apply.
      </p>
      <TestForm connection={connection} onSent={setTest} />
      {test_id && <TestResult key={test_id} connection={connection} test_id={test_id} />}
    </>
  );
}

function TestForm({ connection, onSent }: TesterProps & { onSent: (id: string) => void }) {
  const [request, setRequest] = useState<ShownRequest | null>(null);
  const { form, bind, sending, problem } = useContractForm(createConnectionTest, {
    initial: { from: '', to: '', text: 'Parley connection test. You can ignore this message.' },
    input: (body) => ({ params: { id: connection.id }, body }),
    labels: { from: 'From', to: 'To', text: 'Text' },
    guard: false,
    onDone: ({ data }) => {
      setRequest(null);
      onSent(data.id);
    },
  });
  return (
    <Form {...bind} aria-label="Test connection" className={styles.section}>
      <Pair>
        <Field
          form={form}
          name="from"
          as={TextInput}
          label="From"
          description="A sender that the carrier accepts."
          autoComplete="off"
          maxLength={20}
        />
        <Field
          form={form}
          name="to"
          as={TextInput}
          label="To"
          description="Your phone, with its country code."
          autoComplete="off"
          inputMode="tel"
        />
      </Pair>
      <Field
        form={form}
        name="text"
        as={TextInput}
        optional={false}
        label="Text"
        autoComplete="off"
        maxLength={1_000}
      />
      <FormFooter problem={problem}>
        <Allow needs={createConnectionTest.needs}>
          <Button type="submit" variant="default" loading={sending}>
            Send test message
          </Button>
        </Allow>
        {connection.adapter !== 'smpp' && (
          <PreviewButton
            connection={connection}
            read={() => (form.validate().hasErrors ? null : form.getValues())}
            onPreview={setRequest}
          />
        )}
      </FormFooter>
      {request && <RequestView request={request} />}
    </Form>
  );
}

interface PreviewProps extends TesterProps {
  /** Returns the message; null if it is invalid. */
  read: () => { from: string; to: string; text: string } | null;
  onPreview: (request: ShownRequest) => void;
}

function PreviewButton({ connection, read, onPreview }: PreviewProps) {
  const preview = useAction(previewConnectionTest, { onSuccess: ({ data }) => onPreview(data) });
  return (
    <Allow needs={previewConnectionTest.needs}>
      <Button
        variant="subtle"
        loading={preview.isPending}
        onClick={() => {
          const body = read();
          if (body) preview.mutate({ params: { id: connection.id }, body });
        }}
      >
        Preview request
      </Button>
    </Allow>
  );
}

const PROPOSALS: Column<Proposal>[] = [
  { key: 'setting', title: 'Setting', fixed: true, render: ({ setting }) => settingLabel(setting) },
  {
    key: 'current',
    title: 'Current',
    fixed: true,
    render: ({ setting, current }) => <del>{settingValue(setting, current)}</del>,
  },
  {
    key: 'proposed',
    title: 'Proposed',
    fixed: true,
    render: ({ setting, proposed, reason }) => (
      <>
        <strong>{settingValue(setting, proposed)}</strong>
        <br />
        {reason}
      </>
    ),
  },
];

/** Polls until the result is complete. The proposals are compared with the current settings. */
function TestResult({ connection, test_id }: TesterProps & { test_id: string }) {
  const [isOver, setOver] = useState(false);
  const query = useEndpoint(
    getConnectionTest,
    { params: { id: connection.id, test_id } },
    { refetchInterval: isOver ? false : POLL_MS },
  );
  const test = query.data?.data;
  if (!test) return null;
  if (isRunning(test.state) === isOver) setOver(!isOver);
  return (
    <div aria-live="polite" className={styles.section}>
      <div>
        <StatusBadge {...TEST_STATE[test.state]} reason={NOT_SENT[test.state] ?? null} />
      </div>
      <Fields fields={test.findings.map(({ label, text }) => ({ label, value: text }))} />
      {connection.adapter === 'smpp' && <Proposals connection={connection} test={test} />}
      <ExchangeView test={test} />
    </div>
  );
}

const NOT_SENT: Partial<Record<ConnectionTest['state'], string>> = {
  not_sent: 'No bind connected within a minute.',
  no_receipt: 'The carrier accepted the message but sent no receipt within five minutes.',
};

interface ProposalsProps {
  connection: Extract<Connection, { adapter: 'smpp' }>;
  test: ConnectionTest;
}

function Proposals({ connection, test }: ProposalsProps) {
  const apply = useAction(updateConnection, {
    invalidates: ['routes', 'connection_tests'],
    onSuccess: ({ data }) => toast.success(`${data.name} was saved. Its binds are reconnecting.`),
  });
  if (test.proposals.length === 0)
    return test.state === 'complete' ? <p className={styles.hint}>All settings match this carrier.</p> : null;
  const settings = {
    ...connection.settings,
    ...Object.fromEntries(test.proposals.map(({ setting, proposed }) => [setting, proposed])),
  };
  return (
    <>
      <DataTable
        grow
        id="connection_proposals"
        label="Proposed settings"
        columns={PROPOSALS}
        rows={test.proposals}
        rowKey={({ setting }) => setting}
        empty={null}
      />
      <Allow needs={updateConnection.needs}>
        <Button
          onClick={() => apply.mutate({ params: { id: connection.id }, body: { settings } })}
          loading={apply.isPending}
        >
          Apply proposed settings
        </Button>
      </Allow>
    </>
  );
}
