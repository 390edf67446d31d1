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
import styles from './Proof.module.css';
import { NO_PROOF, PROOF_LABELS, ProofFields, type Texts, useProof } from './ProofFields.tsx';

export interface ProofProps<E extends AnyEndpoint> {
  endpoint: E;
  action: string;
  danger?: boolean;
  asked?: boolean;
  /** A second factor as well, of whoever has one. */
  grave?: boolean;
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

export function Proof<E extends AnyEndpoint>({
  endpoint,
  action,
  danger = false,
  asked = false,
  grave = false,
  initial = {},
  labels = {},
  fields,
  check,
  input = (body) => ({ body }),
  headers,
  invalidates = [],
  onDone,
  onCancel,
}: ProofProps<E>) {
  const proof = useProof({ always: true, grave, asked });
  const { form, onSubmit, sending, problem } = useContractForm(endpoint, {
    initial: { ...initial, ...NO_PROOF } as Texts,
    body: proof.body,
    input: (values) => input(proof.body(values)) as CallInput<E>,
    check: (values) => ({ ...check?.(values), ...proof.check(values) }),
    labels: { ...labels, ...PROOF_LABELS },
    invalidates,
    ...(headers ? { headers } : {}),
    guard: false,
    onDone,
    onRejected: (error) => {
      if (proof.onRefused(error)) form.clearErrors();
    },
  });
  return (
    <form className={styles.form} aria-label={action} onSubmit={onSubmit} noValidate>
      {fields?.(form)}
      <ProofFields form={form} proof={proof} autoFocus={!fields} onSubmit={onSubmit} />
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
