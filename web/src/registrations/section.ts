/** One step of a registration: a form with the rules of its section, saved on the server when one goes on. */
import { type UseFormReturnType, useForm } from '@mantine/form';
import type { AnyEndpoint } from '@parley/contract/endpoint.ts';
import { useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { issueText, useUnsavedGuard, validateOnBlur } from '../kernel/form/form.ts';
import { useSavedDraft } from '../kernel/form/saved_draft.ts';
import { ApiError, type CallInput, call } from '../kernel/http/client.ts';
import type { Blocker } from '../ui/layout/Wizard.tsx';

/** Answers with what is wrong; nothing means that it is saved. */
export type Save = () => Promise<Blocker[] | undefined>;
export type Saver = RefObject<Save | null>;

type Values = Record<string, unknown>;

export interface SectionOptions<V extends Values> {
  endpoint: AnyEndpoint;
  /** A promise where what is saved has to be begun first. */
  params: Record<string, string> | (() => Promise<Record<string, string>>);
  initial: V;
  /** Under which what is typed survives a reload: step and sender. */
  typed: string;
  labels: Partial<Record<string, string>>;
  saver: Saver;
  body?: (values: V) => unknown;
  /** What the form demands beyond the endpoint's rules: words by field. */
  check?: (values: V) => Partial<Record<string, string | null>>;
  onSaved?: (data: unknown) => void;
}

export function useSection<V extends Values>(options: SectionOptions<V>): UseFormReturnType<V> {
  const { endpoint, labels, saver } = options;
  const client = useQueryClient();
  const bodyOf = (values: V): unknown => options.body?.(values) ?? values;
  const labelOf = (path: string): string => {
    const known = labels[path] ?? labels[path.replace(/\.\d+$/, '')];
    return known ?? path.split('.').at(-1)!.replaceAll('_', ' ');
  };
  const typed = useSavedDraft(`step.${options.typed}`, options.initial);
  const [initial] = useState(options.initial);
  const form = useForm<V>({
    mode: 'uncontrolled',
    initialValues: { ...initial, ...typed.saved },
    onValuesChange: typed.save,
    clearInputErrorOnChange: true,
    enhanceGetInputProps: validateOnBlur,
    validate: (values) => {
      const errors: Record<string, string> = {};
      for (const [path, words] of Object.entries(options.check?.(values) ?? {})) if (words) errors[path] = words;
      const body = bodyOf(values);
      for (const issue of endpoint.body?.safeParse(body).error?.issues ?? []) {
        const path = issue.path.join('.');
        errors[path] ??= issueText(issue as Parameters<typeof issueText>[0], labelOf(path), body);
      }
      return errors;
    },
  });
  const place = (errors: Record<string, string>): Blocker[] => {
    form.setErrors(errors as never);
    const found = Object.keys(errors)
      .map((name) => document.querySelector<HTMLElement>(`[data-path="${CSS.escape(name)}"]`))
      .filter((element) => element !== null)
      .sort((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
    found[0]?.focus();
    return Object.entries(errors).map(([key, text]) => ({ key, text }));
  };
  const saved = useRef(false);
  const save: Save = async () => {
    const { hasErrors, errors } = form.validate();
    if (hasErrors) return place(errors as Record<string, string>);
    try {
      const params = typeof options.params === 'function' ? await options.params() : options.params;
      const input = { params, body: bodyOf(form.getValues()) } as unknown as CallInput<AnyEndpoint>;
      const answer = await call(endpoint, input);
      saved.current = true;
      typed.discard();
      form.resetDirty();
      await client.invalidateQueries({ queryKey: ['senders'] });
      options.onSaved?.(answer.data);
      return undefined;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const placed = error.errors.filter(({ field }) => field && field.split('.')[0]! in options.initial);
      return placed.length > 0
        ? place(Object.fromEntries(placed.map(({ field, message }) => [field!, message])))
        : [{ key: 'refused', text: error.message }];
    }
  };
  useEffect(() => {
    saver.current = save;
  });
  useUnsavedGuard(() => !saved.current && form.isDirty(), typed.discard);
  // What was found is not saved: it counts as changed from what stands on the server.
  const { resetDirty } = form;
  useEffect(() => resetDirty(initial), [resetDirty, initial]);
  return form;
}
