/**
 * A form of an endpoint: its rules are the endpoint's body schema, its server errors land under their fields, the first wrong field gets the
 * focus, and leaving with unsaved changes asks first.
 */

import { type UseFormReturnType, useForm } from '@mantine/form';
import type { AnyEndpoint } from '@parley/contract/endpoint.ts';
import { fieldLabel, issueMessage, type ProblemName, problemInRule } from '@parley/contract/problem.ts';
import { useBlocker } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { confirm } from '../../ui/feedback/Confirm.tsx';
import { ApiError, type ApiResponse, type CallInput } from '../http/client.ts';
import { useAction } from '../http/query.ts';
import { afterRelease } from './pointer_release.ts';

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
  /** The body as the endpoint takes it, for the rules and for the call; the values as they are unless given. */
  body?: (values: V) => unknown;
  /** The call's input from the form's values; `{body}` unless given. */
  input?: (values: V) => CallInput<E>;
  /** What the form demands beyond the endpoint's rules: words by field. They go first. */
  check?: (values: V) => Partial<Record<string, string | null>>;
  headers?: () => Readonly<Record<string, string>>;
  /** Words of the fields in messages: "Name is required!". */
  labels?: Partial<Record<keyof V & string, string>>;
  invalidates?: readonly string[];
  onDone?: (answer: ApiResponse<E>) => void;
  /** After every change: for drafts. */
  onChange?: (values: V) => void;
  /** After the error has been placed. */
  onRefused?: (error: ApiError) => void;
  /** Ask before unsaved changes are lost; on unless said. */
  guard?: boolean;
}

/** Refusals that a form says in the generic words of forms (specification, section 5) when the field is empty, or is no address. */
const WHEN_EMPTY: ReadonlySet<ProblemName> = new Set<ProblemName>([
  'PASSWORD_REQUIRED',
  'EMAIL_REQUIRED',
  'FIRST_NAME_REQUIRED',
  'LAST_NAME_REQUIRED',
  'EMAIL_INVALID',
  'PASSWORD_TOO_WEAK',
  'VERIFICATION_CODE_INVALID',
  'SECOND_FACTOR_INVALID',
  'COUNTRY_INVALID',
]);

type Issue = Parameters<typeof issueMessage>[0] & { path: PropertyKey[]; origin?: string };

export function issueText(issue: Issue, label: string, values: unknown): string {
  const value = valueAt(values, issue.path);
  const empty = value !== false && isEmpty(value);
  const code = problemInRule(issue.message);
  if (empty && (code === null || WHEN_EMPTY.has(code))) return `${label} is required!`;
  if (code === 'EMAIL_INVALID') return `${label} is not a valid email!`;
  return issueMessage(issue, label);
}

export function useContractForm<E extends AnyEndpoint, V extends Values>(
  endpoint: E,
  options: FormOptions<E, V>,
): ContractForm<V> {
  const { initial, labels } = options;
  const bodyOf = (values: V): unknown => options.body?.(values) ?? values;
  const form = useForm<V>({
    mode: 'uncontrolled',
    initialValues: initial,
    clearInputErrorOnChange: true,
    enhanceGetInputProps: validateOnBlur,
    ...(options.onChange ? { onValuesChange: options.onChange } : {}),
    validate: (values) => {
      const errors: Record<string, string> = {};
      for (const [path, words] of Object.entries(options.check?.(values) ?? {})) if (words) errors[path] = words;
      const body = bodyOf(values);
      for (const issue of endpoint.body?.safeParse(body).error?.issues ?? []) {
        const path = issue.path.join('.');
        const label = labels?.[path as keyof V & string] ?? fieldLabel(issue.path);
        errors[path] ??= issueText(issue as Issue, label, body);
      }
      return errors;
    },
  });
  const action = useAction(endpoint, {
    ...(options.invalidates ? { invalidates: options.invalidates } : {}),
    ...(options.headers ? { headers: options.headers } : {}),
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
      options.onRefused?.(error);
    },
  });
  const placed = (error: ApiError) => error.errors.some((one) => one.field && one.field.split('.')[0]! in initial);
  useUnsavedGuard((options.guard ?? true) && !action.isSuccess ? () => form.isDirty() : () => false);

  const submit = form.onSubmit(
    (values) => action.mutate(options.input?.(values as V) ?? ({ body: bodyOf(values as V) } as CallInput<E>)),
    (errors) => focusFirst(Object.keys(errors)),
  );
  return {
    form,
    onSubmit: (event) => submit(event),
    sending: action.isPending,
    problem:
      action.error instanceof ApiError && !action.error.announced && !placed(action.error)
        ? action.error.message
        : null,
  };
}

/** A field is judged as it is left. One that is empty as it was from the start is not: sending says what is missing. */
export const validateOnBlur = <V extends Values>({ field, form }: { field: string; form: UseFormReturnType<V> }) => ({
  onBlur: () =>
    afterRelease(() => {
      if (form.isDirty(field) || !isEmpty(valueAt(form.getValues(), field.split('.')))) form.validateField(field);
    }),
});

const valueAt = (values: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((inside, key) => (inside as Record<PropertyKey, unknown> | null | undefined)?.[key], values);
const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === false || (typeof value === 'string' && value.trim() === '');

/** The first on the page, whatever the order in which they were found wrong. */
function focusFirst(names: readonly string[]): void {
  const found = names
    .map((name) => document.querySelector<HTMLElement>(`[data-path="${CSS.escape(name)}"]`))
    .filter((element) => element !== null)
    .sort((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
  found[0]?.focus();
}

/** Asks before the page is left while `dirty()` says so; `onLeave` when somebody says that it may be lost. */
export function useUnsavedGuard(dirty: () => boolean, onLeave?: () => void): void {
  useBlocker({
    shouldBlockFn: async () => {
      if (!dirty()) return false;
      const leaves = await confirm({
        title: 'Leave without saving?',
        consequence: 'What you have changed here will be lost.',
        action: 'Leave',
        cancel: 'Stay',
      });
      if (leaves) onLeave?.();
      return !leaves;
    },
    enableBeforeUnload: () => dirty(),
  });
}
