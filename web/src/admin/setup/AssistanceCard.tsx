/** The language model for assistance in the inboxes of all accounts. */
import { Button, NumberInput, PasswordInput, Switch, TextInput } from '@mantine/core';
import {
  type AssistanceProvider,
  getAssistanceProvider,
  MAX_TIMEOUT_SECONDS,
  testAssistanceProvider,
  updateAssistanceProvider,
} from '@parley/contract/assistance/assistance.ts';
import { Card } from '../../dashboard/Card.tsx';
import { useContractForm } from '../../kernel/form/form.ts';
import { useAction, useEndpoint } from '../../kernel/http/query.ts';
import { Allow } from '../../kernel/session/allow.tsx';
import { useReason } from '../../kernel/session/session.tsx';
import { formatNumber } from '../../ui/data/format.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { Field } from '../../ui/form/Field.tsx';
import { Form } from '../../ui/form/Form.tsx';
import { FormProblem } from '../../ui/form/FormParts.tsx';
import { SaveBar } from '../../ui/form/SaveBar.tsx';
import styles from './Setup.module.css';

const MICROS = 1_000_000;
const NEW: AssistanceProvider = {
  ...{ enabled: true, url: '', has_key: false, model: '', timeout_seconds: 30 },
  ...{ input_price_micros: 0, output_price_micros: 0, account_cap_micros: 10 * MICROS },
};

export function AssistanceCard() {
  const reason = useReason(getAssistanceProvider.needs);
  return (
    <Card title="Assistance">
      <div className={styles.part}>{reason ? <p className={styles.hint}>{reason}</p> : <Provider />}</div>
    </Card>
  );
}

function Provider() {
  const query = useEndpoint(getAssistanceProvider, {});
  if (!query.data) return query.error ? <FormProblem>{query.error.message}</FormProblem> : <SkeletonLines lines={5} />;
  const provider = query.data.data;
  return (
    <>
      <p className={styles.hint}>
        A language model can suggest, rewrite, translate, and summarize texts in the inbox. Any API that is compatible
        with OpenAI chat completions works. The owner of each account decides whether to use it.
      </p>
      <ProviderForm key={JSON.stringify(provider)} provider={provider ?? NEW} />
      {provider && <TestRun />}
    </>
  );
}

const amount = (micros: number) => micros / MICROS;
const toMicros = (value: number | string) => Math.round(Number(value || 0) * MICROS);

function ProviderForm({ provider }: { provider: AssistanceProvider }) {
  const reason = useReason(updateAssistanceProvider.needs);
  const { has_key, ...saved } = provider;
  const { form, bind, saveBar } = useContractForm(updateAssistanceProvider, {
    initial: {
      ...saved,
      api_key: '',
      input_price_micros: amount(saved.input_price_micros) as number | string,
      output_price_micros: amount(saved.output_price_micros) as number | string,
      account_cap_micros: amount(saved.account_cap_micros) as number | string,
      timeout_seconds: saved.timeout_seconds as number | string,
    },
    body: ({ api_key, ...values }) => ({
      ...values,
      ...(api_key.trim() ? { api_key } : {}),
      input_price_micros: toMicros(values.input_price_micros),
      output_price_micros: toMicros(values.output_price_micros),
      account_cap_micros: toMicros(values.account_cap_micros),
      timeout_seconds: Number(values.timeout_seconds || 0),
    }),
    check: ({ account_cap_micros }) => ({
      account_cap_micros: account_cap_micros === '' ? 'Limit is required!' : null,
    }),
    labels: {
      ...{ url: 'URL', model: 'Model', api_key: 'API key', timeout_seconds: 'Time limit' },
      ...{ input_price_micros: 'Price', output_price_micros: 'Price', account_cap_micros: 'Limit' },
    },
    onDone: () => toast.success('The language model was saved'),
  });
  const price = { as: NumberInput, min: 0, max: 1_000, decimalScale: 6, hideControls: true } as const;
  return (
    <Form {...bind} aria-label="Language model" className={styles.form}>
      <Field form={form} name="enabled" as={Switch} type="checkbox" label="Available to accounts" />
      <Field
        form={form}
        name="url"
        as={TextInput}
        label="URL"
        description="Without /chat/completions, such as https://api.example.com/v1."
        autoComplete="off"
      />
      <Field
        form={form}
        name="api_key"
        as={PasswordInput}
        label="API key"
        description={
          has_key ? 'Leave empty to keep the stored key. A different host needs a new key.' : 'Stored encrypted.'
        }
        maxLength={1_000}
        autoComplete="off"
      />
      <Field form={form} name="model" as={TextInput} label="Model" maxLength={200} autoComplete="off" />
      <Field form={form} name="input_price_micros" label="Price per 1,000 input tokens (USD)" {...price} />
      <Field form={form} name="output_price_micros" label="Price per 1,000 output tokens (USD)" {...price} />
      <Field
        form={form}
        name="timeout_seconds"
        as={NumberInput}
        label="Time limit (seconds)"
        min={1}
        max={MAX_TIMEOUT_SECONDS}
        hideControls
      />
      <Field
        form={form}
        name="account_cap_micros"
        as={NumberInput}
        label="Monthly limit per account (USD)"
        description="Accounts can set a lower limit."
        min={0}
        max={1_000_000}
        decimalScale={2}
        thousandSeparator=","
        hideControls
      />
      <SaveBar {...saveBar} save="Save language model" reason={reason} />
    </Form>
  );
}

function TestRun() {
  const test = useAction(testAssistanceProvider);
  const result = test.data?.data;
  return (
    <>
      {result && (
        <Notice tone={result.ok ? 'ok' : 'fail'}>
          {result.ok
            ? `Response after ${formatNumber(result.duration_ms)} ms with ` +
              `${formatNumber(result.input_tokens)} + ${formatNumber(result.output_tokens)} tokens: ${result.text}`
            : result.text}
        </Notice>
      )}
      <Allow needs={testAssistanceProvider.needs}>
        <Button variant="default" loading={test.isPending} onClick={() => test.mutate({})}>
          Test the language model
        </Button>
      </Allow>
    </>
  );
}
