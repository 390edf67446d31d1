/**
 * A form for an endpoint. The endpoint's body schema validates each field when it loses focus, marks the optional
 * fields, and fills the summary of errors on submit. Server errors appear at their fields, the first invalid field is
 * focused, and leaving with unsaved changes requires confirmation.
 */

import { type UseFormReturnType, useForm } from '@mantine/form';
import type { AnyEndpoint } from '@parley/contract/endpoint.ts';
import { type FormEvent, useLayoutEffect, useRef, useState } from 'react';
import type { FormBinding } from '../../ui/form/Form.tsx';
import { type FieldIssue, focusFirstIssue, listIssues } from '../../ui/form/form_errors.ts';
import type { SaveBarBinding } from '../../ui/form/SaveBar.tsx';
import { ApiError, type ApiResponse, type CallInput } from '../http/client.ts';
import { useAction } from '../http/query.ts';
import { fieldProps, formRules, messageLabel } from './rules.ts';
import type { SavedDraft } from './saved_draft.ts';
import { useUnsavedGuard } from './unsaved.ts';

type Values = Record<string, unknown>;

export interface ContractForm<V extends Values> {
  form: UseFormReturnType<V>;
  /** For `Form`. */
  bind: FormBinding;
  /** For the `SaveBar` of an edit form. */
  saveBar: SaveBarBinding;
  onSubmit: (event?: FormEvent<HTMLFormElement>) => void;
  /** Validates the fields, shows their errors as on submit, and returns whether all are valid. */
  validate: () => boolean;
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
  /** Called after the user has discarded the changes, for state outside the form. */
  onDiscard?: (values: V) => void;
  /** Keeps the input over a reload and a new sign-in. Never for secrets. */
  draft?: SavedDraft<V>;
  /** Asks for confirmation before unsaved changes are lost; true by default. */
  guard?: boolean;
}

export function useContractForm<E extends AnyEndpoint, V extends Values>(
  endpoint: E,
  options: FormOptions<E, V>,
): ContractForm<V> {
  const { initial, labels, check, draft } = options;
  const toBody = (values: V): unknown => options.body?.(values) ?? values;
  const rules = formRules<V>({ endpoint, toBody, check, labels });
  const typed = draft?.saved ?? null;
  const [isDirty, setDirty] = useState(typed !== null);
  const form = useForm<V>({
    mode: 'uncontrolled',
    initialValues: { ...initial, ...typed },
    clearInputErrorOnChange: true,
    enhanceGetInputProps: fieldProps(rules),
    onValuesChange: (values) => {
      setDirty(form.isDirty());
      draft?.save(values);
      options.onChange?.(values);
    },
    validate: rules,
  });
  useSavedValues(form, typed === null ? null : initial);
  const { issues, show, hide, root } = useIssues(Object.keys(initial).length > 1, labels);
  const action = useAction(endpoint, {
    ...(options.invalidates ? { invalidates: options.invalidates } : {}),
    ...(options.headers ? { headers: options.headers } : {}),
    onSuccess: (response) => {
      form.resetDirty();
      setDirty(false);
      draft?.discard();
      options.onDone?.(response);
    },
    onError: (error) => {
      const fields = Object.fromEntries(
        error.errors.filter(({ field }) => isFormField(field)).map(({ field, message }) => [field!, message]),
      );
      form.setErrors(fields as never);
      show(fields);
      options.onRejected?.(error);
    },
  });
  const isFormField = (field: string | undefined): field is string =>
    field !== undefined && field.split('.')[0]! in initial;
  const isPlaced = (error: ApiError) => error.errors.some(({ field }) => isFormField(field));
  useUnsavedGuard(() => (options.guard ?? true) && form.isDirty(), draft?.discard);

  const submit = form.onSubmit((values) => {
    hide();
    action.mutate(options.input?.(values as V) ?? ({ body: toBody(values as V) } as CallInput<E>));
  }, show);
  const onSubmit = (event?: FormEvent<HTMLFormElement>) => submit(event);
  const validate = () => {
    const { hasErrors, errors } = form.validate();
    if (hasErrors) show(errors);
    else hide();
    return !hasErrors;
  };
  const onDiscard = () => {
    form.reset();
    setDirty(false);
    hide();
    draft?.discard();
    action.reset();
    options.onDiscard?.(form.getValues());
  };
  const problem =
    action.error instanceof ApiError && !action.error.announced && !isPlaced(action.error)
      ? action.error.message
      : null;
  return {
    form,
    bind: { ref: root, onSubmit, issues, isFixed: (name) => !form.errors[name] },
    saveBar: { isDirty, sending: action.isPending, problem, onDiscard },
    onSubmit,
    validate,
    sending: action.isPending,
    problem,
  };
}

/** Compares typed values with the saved ones, which Discard brings back. Null: the form began with the saved values. */
function useSavedValues<V extends Values>(form: UseFormReturnType<V>, saved: V | null): void {
  const first = useRef({ form, saved });
  useLayoutEffect(() => {
    if (first.current.saved) first.current.form.setInitialValues(first.current.saved);
  }, []);
}

/** The summary of errors. A form with a single field has none: the field with the focus states the error. */
function useIssues(hasSummary: boolean, labels: Partial<Record<string, string>> | undefined) {
  const root = useRef<HTMLFormElement>(null);
  const [issues, setIssues] = useState<readonly FieldIssue[]>([]);
  const show = (errors: Readonly<Record<string, unknown>>) => {
    const next = listIssues(errors, (name) => messageLabel(labels, name), root.current ?? document);
    setIssues(hasSummary ? next : next.filter(({ isShown }) => !isShown));
    focusFirstIssue(next, root.current ?? document);
  };
  return { root, issues, show, hide: () => setIssues([]) };
}
