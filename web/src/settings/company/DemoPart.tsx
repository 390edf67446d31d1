/** Empties the demo company, or fills it again. Only its owner sees it. Loaded only in the demo. */
import { Alert, Button, Modal, TextInput } from '@mantine/core';
import { changeDemo, type Demo, type DemoChange, getDemo } from '@parley/contract/demo/demo.ts';
import { useEffect, useRef, useState } from 'react';
import { useContractForm } from '../../kernel/form/form.ts';
import { useEndpoint } from '../../kernel/http/query.ts';
import { useSession } from '../../kernel/session/session.tsx';
import { Field } from '../../ui/form/Field.tsx';
import { Form } from '../../ui/form/Form.tsx';
import { Buttons, FormFooter } from '../../ui/form/FormParts.tsx';
import { Section } from '../Section.tsx';
import styles from '../Settings.module.css';

const POLL_MS = 700;

const WORDS = {
  empty: {
    action: 'Empty it',
    title: 'Empty the demo company?',
    lost: 'Its campaigns, messages, conversations, audiences, links, and invoices are removed.',
    running: 'Emptying the demo company',
  },
  fill: {
    action: 'Fill again',
    title: 'Fill the demo company again?',
    lost: 'Everything you created in it is removed, and the original three months of history are restored.',
    running: 'Filling the demo company',
  },
} as const satisfies Record<DemoChange, object>;

const STEPS: Readonly<Record<string, string>> = {
  waiting: 'Waiting to start',
  company: 'Creating the company',
  history: 'Writing three months of history',
  templates: 'Adding templates',
};

const isRunning = (change: Demo['change']): boolean =>
  change !== null && change.step !== 'done' && change.error === null;

export default function DemoPart() {
  const [chosen, setChosen] = useState<DemoChange | null>(null);
  const [isPolled, setPolled] = useState(false);
  const query = useEndpoint(getDemo, {}, isPolled ? { refetchInterval: POLL_MS } : {});
  const change = query.data?.data.change ?? null;
  if (isPolled !== isRunning(change)) setPolled(!isPolled);
  useReload(change);
  if (!query.data) return null;
  return (
    <Section
      title="Demo company"
      description="Start with an empty company, or restore its three months of history. Users and API keys are kept."
    >
      {isRunning(change) && change && (
        <p role="status" className={styles.dim}>
          {WORDS[change.kind].running}: {STEPS[change.step]?.toLowerCase()} …
        </p>
      )}
      {change?.error && (
        <Alert color="red" title="The demo company was not changed">
          {change.error}
        </Alert>
      )}
      <Buttons>
        {(['empty', 'fill'] as const).map((kind) => (
          <Button key={kind} variant="default" disabled={isRunning(change)} onClick={() => setChosen(kind)}>
            {WORDS[kind].action}
          </Button>
        ))}
      </Buttons>
      {chosen && (
        <Modal opened onClose={() => setChosen(null)} title={WORDS[chosen].title} centered>
          <ChangeForm
            kind={chosen}
            onDone={() => {
              setChosen(null);
              void query.refetch();
            }}
            onCancel={() => setChosen(null)}
          />
        </Modal>
      )}
    </Section>
  );
}

/** The fresh company has another ID, so everything is loaded again. */
function useReload(change: Demo['change']): void {
  const wasRunning = useRef(false);
  useEffect(() => {
    if (wasRunning.current && change?.step === 'done') window.location.assign('/');
    wasRunning.current = isRunning(change);
  }, [change]);
}

interface ChangeFormProps {
  kind: DemoChange;
  onDone: () => void;
  onCancel: () => void;
}

function ChangeForm({ kind, onDone, onCancel }: ChangeFormProps) {
  const { account } = useSession();
  const { form, bind, sending, problem } = useContractForm(changeDemo, {
    initial: { kind: kind as DemoChange, company_name: '' },
    labels: { company_name: 'Company name' },
    onDone,
  });
  return (
    <Form {...bind} aria-label={WORDS[kind].title}>
      <p className={styles.dim}>{WORDS[kind].lost}</p>
      <Field
        form={form}
        name="company_name"
        as={TextInput}
        label="Company name"
        optional={false}
        description={`Type ${account.company_name} to confirm.`}
        autoComplete="off"
        data-autofocus
      />
      <FormFooter problem={problem}>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" color="red" loading={sending}>
          {WORDS[kind].action}
        </Button>
      </FormFooter>
    </Form>
  );
}
