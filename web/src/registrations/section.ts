/**
 * The form for one registration step. The form uses the rules of the step's section and is saved when the user
 * continues.
 */
import { type UseFormReturnType, useForm } from '@mantine/form';
import type { AnyEndpoint } from '@parley/contract/endpoint.ts';
import { useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { fieldProps, formRules } from '../kernel/form/rules.ts';
import { useSavedDraft } from '../kernel/form/saved_draft.ts';
import { useUnsavedGuard } from '../kernel/form/unsaved.ts';
import { ApiError, type CallInput, call } from '../kernel/http/client.ts';
import type { Blocker } from '../ui/layout/Wizard.tsx';

/** Saves the step. Returns what blocks it, or undefined once it is saved. */
export type Save = () => Promise<Blocker[] | undefined>;
export type Saver = RefObject<Save | null>;

type Values = Record<string, unknown>;

interface SectionOptions<V extends Values> {
  endpoint: AnyEndpoint;
  /** A function if the draft must be created first. */
  params: Record<string, string> | (() => Promise<Record<string, string>>);
  initial: V;
  /** The storage key of unsaved input, which survives a reload. It contains the step and the sender. */
  draftKey: string;
  labels: Partial<Record<string, string>>;
  saver: Saver;
  body?: (values: V) => unknown;
  /** Checks rules that the endpoint does not define. Returns the error text for each field. */
  check?: (values: V) => Partial<Record<string, string | null>>;
  onSaved?: (data: unknown) => void;
}

export function useSection<V extends Values>(options: SectionOptions<V>): UseFormReturnType<V> {
  const { endpoint, labels, check, saver } = options;
  const client = useQueryClient();
  const toBody = (values: V): unknown => options.body?.(values) ?? values;
  const rules = formRules<V>({ endpoint, toBody, check, labels });
  const draft = useSavedDraft(`step.${options.draftKey}`, options.initial);
  const [initial] = useState(options.initial);
  const form = useForm<V>({
    mode: 'uncontrolled',
    initialValues: { ...initial, ...draft.saved },
    onValuesChange: draft.save,
    clearInputErrorOnChange: true,
    enhanceGetInputProps: fieldProps(rules),
    validate: rules,
  });
  const showErrors = (errors: Record<string, string>): Blocker[] => {
    form.setErrors(errors as never);
    return Object.entries(errors).map(([field, text]) => ({ key: field, field, text }));
  };
  const saved = useRef(false);
  const save: Save = async () => {
    const { hasErrors, errors } = form.validate();
    if (hasErrors) return showErrors(errors as Record<string, string>);
    try {
      const params = typeof options.params === 'function' ? await options.params() : options.params;
      const input = { params, body: toBody(form.getValues()) } as unknown as CallInput<AnyEndpoint>;
      const response = await call(endpoint, input);
      saved.current = true;
      draft.discard();
      form.resetDirty();
      await client.invalidateQueries({ queryKey: ['senders'] });
      options.onSaved?.(response.data);
      return undefined;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const fieldErrors = error.errors.filter(({ field }) => field && field.split('.')[0]! in options.initial);
      return fieldErrors.length > 0
        ? showErrors(Object.fromEntries(fieldErrors.map(({ field, message }) => [field!, message])))
        : [{ key: 'refused', text: error.message }];
    }
  };
  useEffect(() => {
    saver.current = save;
    return () => {
      saver.current = null;
    };
  });
  useUnsavedGuard(() => !saved.current && form.isDirty(), draft.discard);
  // A restored draft counts as changed, because the server does not have it yet.
  const { resetDirty } = form;
  useEffect(() => resetDirty(initial), [resetDirty, initial]);
  return form;
}
