/**
 * A form for an endpoint. The endpoint's body schema validates it, server errors appear below their fields, the first
 * invalid field is focused, and leaving with unsaved changes requires confirmation.
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
import { useUnsavedMark } from './unsaved.ts';

type Values = Record<string, unknown>;

export interface ContractForm<V extends Values> {
  form: UseFormReturnType<V>;
  onSubmit: (event?: FormEvent<HTMLFormElement>) => void;
  sending: boolean;
  /** An error that does not belong to any field. */
  problem: string | null;
}

interface FormOptions<E extends AnyEndpoint, V extends Values> {
  initial: V;
  /** Turns the values into the endpoint's body, for validation and for the call. By default the values are the body. */
  body?: (values: V) => unknown;
  /** Turns the values into the call's input; `{ body }` by default. */
  input?: (values: V) => CallInput<E>;
  /** Rules beyond the endpoint's: error messages by field. They take precedence over the endpoint's errors. */
  check?: (values: V) => Partial<Record<string, string | null>>;
  headers?: () => Readonly<Record<string, string>>;
  /** The field names used in messages, such as "Name is required!". */
  labels?: Partial<Record<keyof V & string, string>>;
  invalidates?: readonly string[];
  onDone?: (response: ApiResponse<E>) => void;
  /** Called after every change, so that drafts can be saved. */
  onChange?: (values: V) => void;
  /** Called after the errors have been shown. */
  onRejected?: (error: ApiError) => void;
  /** Asks for confirmation before unsaved changes are lost; true by default. */
  guard?: boolean;
}

/** Problems shown as "{label} is required!" when the field is empty (specification, section 5). */
const REQUIRED_PROBLEMS: ReadonlySet<ProblemName> = new Set<ProblemName>([
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

/** The text of a validation issue for the field `label`. */
export function issueText(issue: Issue, label: string, values: unknown): string {
  const value = valueAt(values, issue.path);
  const empty = value !== false && isEmpty(value);
  const problem = problemInRule(issue.message);
  if (empty && (problem === null || REQUIRED_PROBLEMS.has(problem))) return `${label} is required!`;
  if (problem === 'EMAIL_INVALID') return `${label} is not a valid email!`;
  return issueMessage(issue, label);
}

export function useContractForm<E extends AnyEndpoint, V extends Values>(
  endpoint: E,
  options: FormOptions<E, V>,
): ContractForm<V> {
  const { initial, labels } = options;
  const toBody = (values: V): unknown => options.body?.(values) ?? values;
  const form = useForm<V>({
    mode: 'uncontrolled',
    initialValues: initial,
    clearInputErrorOnChange: true,
    enhanceGetInputProps: validateOnBlur,
    ...(options.onChange ? { onValuesChange: options.onChange } : {}),
    validate: (values) => {
      const errors: Record<string, string> = {};
      for (const [path, words] of Object.entries(options.check?.(values) ?? {})) if (words) errors[path] = words;
      const body = toBody(values);
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
    onSuccess: (response) => {
      form.resetDirty();
      options.onDone?.(response);
    },
    onError: (error) => {
      const fields = Object.fromEntries(
        error.errors.filter(({ field }) => isFormField(field)).map(({ field, message }) => [field!, message]),
      );
      form.setErrors(fields as never);
      focusFirst(Object.keys(fields));
      options.onRejected?.(error);
    },
  });
  const isFormField = (field: string | undefined): field is string =>
    field !== undefined && field.split('.')[0]! in initial;
  const isPlaced = (error: ApiError) => error.errors.some(({ field }) => isFormField(field));
  useUnsavedGuard((options.guard ?? true) && !action.isSuccess ? () => form.isDirty() : () => false);

  const submit = form.onSubmit(
    (values) => action.mutate(options.input?.(values as V) ?? ({ body: toBody(values as V) } as CallInput<E>)),
    (errors) => focusFirst(Object.keys(errors)),
  );
  return {
    form,
    onSubmit: (event) => submit(event),
    sending: action.isPending,
    problem:
      action.error instanceof ApiError && !action.error.announced && !isPlaced(action.error)
        ? action.error.message
        : null,
  };
}

/** Validates a field when it loses focus. A field that was empty from the start is validated only on submit. */
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

/** Focuses whichever of the named fields comes first on the page. */
function focusFirst(names: readonly string[]): void {
  const elements = names
    .map((name) => document.querySelector<HTMLElement>(`[data-path="${CSS.escape(name)}"]`))
    .filter((element) => element !== null)
    .sort((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
  elements[0]?.focus();
}

/**
 * Asks for confirmation before the user leaves the page while `isDirty()` is true; calls `onLeave` when the user leaves
 * without saving.
 */
export function useUnsavedGuard(isDirty: () => boolean, onLeave?: () => void): void {
  useUnsavedMark(isDirty);
  useBlocker({
    shouldBlockFn: async () => {
      if (!isDirty()) return false;
      const leaves = await confirm({
        title: 'Leave without saving?',
        consequence: 'Your changes will be lost.',
        action: 'Leave',
        cancel: 'Stay',
      });
      if (leaves) onLeave?.();
      return !leaves;
    },
    enableBeforeUnload: () => isDirty(),
  });
}
