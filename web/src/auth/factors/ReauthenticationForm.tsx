/**
 * A step that changes the locks: who it is is proven once more, beside whatever else the step needs. `asked`: the server has demanded it already;
 * without, the password is asked for from the beginning.
 */
import { Button } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { AnyEndpoint } from '@parley/contract/endpoint.ts';
import type { ReactNode } from 'react';
import { useContractForm } from '../../kernel/form/form.ts';
import type { ApiResponse, CallInput } from '../../kernel/http/client.ts';
import { FormFooter } from '../../ui/form/FormParts.tsx';
import styles from './Reauthentication.module.css';
import {
  EMPTY_REAUTHENTICATION,
  REAUTHENTICATION_LABELS,
  ReauthenticationFields,
  type Texts,
  useReauthentication,
} from './ReauthenticationFields.tsx';

export interface ReauthenticationFormProps<E extends AnyEndpoint> {
  endpoint: E;
  action: string;
  danger?: boolean;
  required?: boolean;
  /** A second factor as well, of whoever has one. */
  strict?: boolean;
  /** Further fields and their beginnings. */
  initial?: Texts;
  labels?: Texts;
  fields?: (form: UseFormReturnType<Texts>) => ReactNode;
  check?: (values: Texts) => Record<string, string | null>;
  /** The call around the body. */
  input?: (body: Record<string, unknown>) => unknown;
  headers?: () => Readonly<Record<string, string>>;
  invalidates?: readonly string[];
  onDone: (answer: ApiResponse<E>) => void;
  onCancel?: () => void;
}

export function ReauthenticationForm<E extends AnyEndpoint>({
  endpoint,
  action,
  danger = false,
  required: asked = false,
  strict: grave = false,
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
  const proof = useReauthentication({ always: true, strict: grave, required: asked });
  const { form, onSubmit, sending, problem } = useContractForm(endpoint, {
    initial: { ...initial, ...EMPTY_REAUTHENTICATION } as Texts,
    body: proof.body,
    input: (values) => input(proof.body(values)) as CallInput<E>,
    check: (values) => ({ ...check?.(values), ...proof.check(values) }),
    labels: { ...labels, ...REAUTHENTICATION_LABELS },
    invalidates,
    ...(headers ? { headers } : {}),
    guard: false,
    onDone,
    onRefused: (error) => {
      if (proof.onRefused(error)) form.clearErrors();
    },
  });
  return (
    <form className={styles.form} aria-label={action} onSubmit={onSubmit} noValidate>
      {fields?.(form)}
      <ReauthenticationFields form={form} reauthentication={proof} autoFocus={!fields} onSubmit={onSubmit} />
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
    </form>
  );
}
