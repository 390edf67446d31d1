/**
 * A form of an endpoint: its rules are the endpoint's body schema, its server errors land under their fields, the first wrong field gets the
 * focus, and leaving with unsaved changes asks first.
 */

import { type UseFormReturnType, useForm } from '@mantine/form';
import type { AnyEndpoint } from '@parley/contract/endpoint.ts';
import { issueMessage } from '@parley/contract/problem.ts';
import { useBlocker } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { confirm } from '../ui/Confirm.tsx';
import { type Answer, ApiError, type CallInput } from './client.ts';
import { useAction } from './query.ts';

type Values = Record<string, unknown>;

export interface ContractForm<V extends Values> {
  form: UseFormReturnType<V>;
  onSubmit: (event?: FormEvent<HTMLFormElement>) => void;
  sending: boolean;
  /** What belongs to no field. */
  problem: string | null;
}

export interface FormOptions<E extends AnyEndpoint, V extends Values> {
  initial: V;
  /** The call's input from the form's values; `{body: values}` unless given. */
  input?: (values: V) => CallInput<E>;
  /** Words of the fields in messages: "Name is required!". */
  labels?: Partial<Record<keyof V & string, string>>;
  invalidates?: readonly string[];
  onDone?: (answer: Answer<E>) => void;
  /** Ask before unsaved changes are lost; on unless said. */
  guard?: boolean;
}

const labelOf = (name: string): string => {
  const words = name.replace(/_/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

export function useContractForm<E extends AnyEndpoint, V extends Values>(
  endpoint: E,
  options: FormOptions<E, V>,
): ContractForm<V> {
  const { initial, labels } = options;
  const form = useForm<V>({
    mode: 'uncontrolled',
    initialValues: initial,
    validateInputOnBlur: true,
    clearInputErrorOnChange: true,
    validate: (values) => {
      const result = endpoint.body?.safeParse(values);
      if (!result || result.success) return {};
      const errors: Record<string, string> = {};
      for (const issue of result.error.issues) {
        const path = issue.path.join('.');
        const name = String(issue.path.at(-1) ?? '');
        errors[path] ??= issueMessage(
          issue as Parameters<typeof issueMessage>[0],
          labels?.[path as keyof V & string] ?? labelOf(name),
        );
      }
      return errors;
    },
  });
  const action = useAction(endpoint, {
    ...(options.invalidates ? { invalidates: options.invalidates } : {}),
    onSuccess: (answer) => {
      form.resetDirty();
      options.onDone?.(answer);
    },
    onError: (error) => {
      const fields = Object.fromEntries(
        error.errors
          .filter((one) => one.field && one.field.split('.')[0]! in initial)
          .map((one) => [one.field!, one.message]),
      );
      form.setErrors(fields as never);
      focusFirst(Object.keys(fields));
    },
  });
  const placed = (error: ApiError) => error.errors.some((one) => one.field && one.field.split('.')[0]! in initial);
  useUnsavedGuard((options.guard ?? true) && !action.isSuccess ? () => form.isDirty() : () => false);

  const submit = form.onSubmit(
    (values) => action.mutate(options.input?.(values as V) ?? ({ body: values } as CallInput<E>)),
    (errors) => focusFirst(Object.keys(errors)),
  );
  return {
    form,
    onSubmit: (event) => submit(event),
    sending: action.isPending,
    problem: action.error instanceof ApiError && !placed(action.error) ? action.error.message : null,
  };
}

function focusFirst(names: readonly string[]): void {
  const first = names
    .map((name) => document.querySelector<HTMLElement>(`[data-path="${CSS.escape(name)}"]`))
    .find(Boolean);
  first?.focus();
}

/** Asks before the page is left while `dirty()` says so. */
export function useUnsavedGuard(dirty: () => boolean): void {
  useBlocker({
    shouldBlockFn: async () =>
      dirty() &&
      !(await confirm({
        title: 'Leave without saving?',
        loses: 'What you have changed here will be lost.',
        action: 'Leave',
        cancel: 'Stay',
      })),
    enableBeforeUnload: () => dirty(),
  });
}
