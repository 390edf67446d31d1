/** A form for a sensitive change. The user re-authenticates in it with the password, a code, or a passkey. */
import { Button } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { AnyEndpoint } from '@parley/contract/endpoint.ts';
import type { ReactNode } from 'react';
import { useContractForm } from '../../kernel/form/form.ts';
import type { ApiResponse, CallInput } from '../../kernel/http/client.ts';
import { Form } from '../../ui/form/Form.tsx';
import { FormFooter } from '../../ui/form/FormParts.tsx';
import styles from './Reauthentication.module.css';
import {
  EMPTY_REAUTHENTICATION,
  REAUTHENTICATION_LABELS,
  ReauthenticationFields,
  type Texts,
  useReauthentication,
} from './ReauthenticationFields.tsx';

interface ReauthenticationFormProps<E extends AnyEndpoint> {
  endpoint: E;
  action: string;
  danger?: boolean;
  /** True if the server has already required re-authentication. */
  required?: boolean;
  /** Requires the second factor as well, if the user has one. */
  strict?: boolean;
  /** The initial values of the additional fields. */
  initial?: Texts;
  labels?: Texts;
  fields?: (form: UseFormReturnType<Texts>) => ReactNode;
  check?: (values: Texts) => Record<string, string | null>;
  /** Builds the call's input from the body. */
  input?: (body: Record<string, unknown>) => unknown;
  headers?: () => Readonly<Record<string, string>>;
  invalidates?: readonly string[];
  onDone: (response: ApiResponse<E>) => void;
  onCancel?: () => void;
}

export function ReauthenticationForm<E extends AnyEndpoint>({
  endpoint,
  action,
  danger = false,
  required = false,
  strict = false,
  initial = {},
  labels = {},
  fields,
  check,
  input = (body) => ({ body }),
  headers,
  invalidates = [],
  onDone,
  onCancel,
}: ReauthenticationFormProps<E>) {
  const reauthentication = useReauthentication({ always: true, strict, required });
  const { form, bind, onSubmit, sending, problem } = useContractForm(endpoint, {
    initial: { ...initial, ...EMPTY_REAUTHENTICATION } as Texts,
    body: reauthentication.body,
    input: (values) => input(reauthentication.body(values)) as CallInput<E>,
    check: (values) => ({ ...check?.(values), ...reauthentication.check(values) }),
    labels: { ...labels, ...REAUTHENTICATION_LABELS },
    invalidates,
    ...(headers ? { headers } : {}),
    guard: false,
    onDone,
    onRejected: (error) => {
      if (reauthentication.onRefused(error)) form.clearErrors();
    },
  });
  return (
    <Form {...bind} className={styles.form} aria-label={action}>
      {fields?.(form)}
      <ReauthenticationFields form={form} reauthentication={reauthentication} autoFocus={!fields} onSubmit={onSubmit} />
      <FormFooter problem={problem}>
        <Button type="submit" loading={sending} {...(danger ? { color: 'red' } : {})}>
          {action}
        </Button>
        {onCancel && (
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
        )}
      </FormFooter>
    </Form>
  );
}
