/** Tests a connection with one message and applies the settings that the result suggests. */
import { Button, TextInput } from '@mantine/core';
import {
  type ConnectionTest,
  createConnectionTest,
  getConnectionTest,
  isRunning,
  type Proposal,
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
import { FormProblem, Pair } from '../../ui/form/FormParts.tsx';
import { Fields } from '../../ui/layout/SidePanel.tsx';
import styles from '../Admin.module.css';
import { settingLabel, settingValue } from './words.ts';

const POLL_MS = 1_000;

interface TesterProps {
  connection: Extract<Connection, { adapter: 'smpp' }>;
}

export function ConnectionTester({ connection }: TesterProps) {
  const [test_id, setTest] = useState<string | null>(null);
  return (
    <section className={styles.section} aria-label="Test">
      <h3>Test</h3>
      <p className={styles.hint}>
        Sends a free message to your phone and compares the carrier’s response and receipt with the settings. Routes and
        the stop list do not apply.
      </p>
      <TestForm connection={connection} onSent={setTest} />
      {test_id && <TestResult key={test_id} connection={connection} test_id={test_id} />}
    </section>
  );
}

function TestForm({ connection, onSent }: TesterProps & { onSent: (id: string) => void }) {
  const { form, bind, sending, problem } = useContractForm(createConnectionTest, {
    initial: { from: '', to: '' },
    input: (body) => ({ params: { id: connection.id }, body }),
    labels: { from: 'From', to: 'To' },
    onDone: ({ data }) => onSent(data.id),
  });
  return (
    <Form {...bind} aria-label="Test connection">
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
      <FormProblem>{problem}</FormProblem>
      <Allow needs={createConnectionTest.needs}>
        <Button type="submit" variant="default" loading={sending}>
          Test connection
        </Button>
      </Allow>
    </Form>
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
    <div aria-live="polite">
      <StatusBadge {...TEST_STATE[test.state]} reason={NOT_SENT[test.state] ?? null} />
      <Fields fields={test.findings.map(({ label, text }) => ({ label, value: text }))} />
      <Proposals connection={connection} test={test} />
    </div>
  );
}

const NOT_SENT: Partial<Record<ConnectionTest['state'], string>> = {
  not_sent: 'No bind connected within a minute.',
  no_receipt: 'The carrier accepted the message but sent no receipt within five minutes.',
};

function Proposals({ connection, test }: TesterProps & { test: ConnectionTest }) {
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
