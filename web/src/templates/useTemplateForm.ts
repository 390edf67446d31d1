/** The template form. A field shows its finding after the user has left it or tried to save. */
import { fieldLabel } from '@parley/contract/problem.ts';
import { createTemplate, type Template, updateTemplate } from '@parley/contract/templates/templates.ts';
import { type FocusEvent, type FormEvent, useEffect, useMemo, useRef, useState } from 'react';
import { afterRelease } from '../kernel/form/pointer_release.ts';
import { useSavedDraft } from '../kernel/form/saved_draft.ts';
import { useUnsavedGuard } from '../kernel/form/unsaved.ts';
import { ApiError, type CallInput } from '../kernel/http/client.ts';
import { toastError, useAction } from '../kernel/http/query.ts';
import { type FieldIssue, focusFirstIssue, listIssues } from '../ui/form/form_errors.ts';
import { draftFindings, type FieldFinding, type FormDraft, formField, toBody } from './draft.ts';

export interface TemplateForm {
  draft: FormDraft;
  change: (part: Partial<FormDraft>) => void;
  /** Sets values that the form itself chose; the form still counts as unchanged. */
  preset: (part: Partial<FormDraft>) => void;
  /** The error to show below a field. */
  fieldError: (field: string) => string | null;
  /** The fields with a finding when the user last tried to save. */
  issues: readonly FieldIssue[];
  isFixed: (field: string) => boolean;
  /** True if the user has changed a value. */
  isChanged: boolean;
  sending: boolean;
  /** Returns to the saved template. */
  onDiscard: () => void;
  onSubmit: (event: FormEvent) => void;
  /** The `onBlur` of the form element. It records which fields the user has left. */
  onBlur: (event: FocusEvent) => void;
}

export function useTemplateForm(
  start: FormDraft,
  template: Template | null,
  onSaved: (template: Template) => void,
): TemplateForm {
  const [initial, setInitial] = useState(start);
  // The key contains the date of the last change, so drafts saved before it are ignored.
  const stored = useSavedDraft(
    template ? `template.${template.id}.${template.update_date}` : `template.new.${initial.channel}.${initial.name}`,
    initial,
  );
  const [draft, setDraft] = useState(stored.saved ? { ...initial, ...stored.saved } : initial);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [isTried, setTried] = useState(false);
  const [serverFindings, setServerFindings] = useState<readonly FieldFinding[]>([]);
  const [issues, setIssues] = useState<readonly FieldIssue[]>([]);
  const isChanged = draft !== initial;
  const ownFindings = useMemo(() => draftFindings(draft), [draft]);
  const findings = ownFindings.length > 0 ? ownFindings : serverFindings;
  const { save, sending, isSaved } = useSave(template, {
    onSaved: (saved) => {
      stored.discard();
      onSaved(saved);
    },
    onFieldErrors: (errors) => {
      const placed = errors.map(({ field, message }) => ({ field: formField(field, draft), message }));
      setServerFindings(placed);
      setIssues(focusIssues(placed));
    },
  });
  useUnsavedGuard(() => isChanged && !isSaved.current, stored.discard);
  useEffect(() => {
    if (isChanged && !isSaved.current) stored.save(draft);
  }, [isChanged, draft, stored, isSaved]);

  const findMessage = (all: readonly FieldFinding[], field: string) =>
    all.find((finding) => finding.field === field)?.message ?? null;
  return {
    draft,
    change: (part) => {
      setDraft((before) => ({ ...before, ...part }));
      setServerFindings((before) => before.filter(({ field }) => !(field.split('.')[0]! in part)));
    },
    preset: (part) => {
      const next = { ...draft, ...part };
      if (!isChanged) setInitial(next);
      setDraft(next);
    },
    fieldError: (field) =>
      findMessage(serverFindings, field) ?? (isTried || left.has(field) ? findMessage(ownFindings, field) : null),
    ...{ issues, isChanged, sending },
    isFixed: (field) => findMessage(findings, field) === null,
    onDiscard: () => {
      stored.discard();
      setDraft(initial);
      setServerFindings([]);
      setIssues([]);
      setLeft(new Set());
      setTried(false);
    },
    onSubmit: (event) => {
      event.preventDefault();
      setTried(true);
      if (sending) return;
      setIssues(focusIssues(ownFindings));
      if (ownFindings.length === 0) save(draft);
    },
    onBlur: (event) => {
      const field = (event.target as Element).closest('[data-field]')?.getAttribute('data-field');
      // A form without input shows no errors when the focus moves through it.
      if (field && isChanged)
        afterRelease(() => setLeft((before) => (before.has(field) ? before : new Set(before).add(field))));
    },
  };
}

/** The summary of the findings. Focuses the first field that has one. */
function focusIssues(findings: readonly FieldFinding[]): FieldIssue[] {
  const errors = Object.fromEntries(findings.map(({ field, message }) => [field, message]));
  const issues = listIssues(errors, (name) => fieldLabel(name.split('.')));
  focusFirstIssue(issues);
  return issues;
}

interface SaveEvents {
  onSaved: (template: Template) => void;
  onFieldErrors: (errors: readonly FieldFinding[]) => void;
}

/** Creates or updates the template. */
function useSave(template: Template | null, { onSaved, onFieldErrors }: SaveEvents) {
  // This is a ref, because `onSaved` leaves the page before the next render.
  const isSaved = useRef(false);
  const onError = (error: ApiError) => {
    const errors = error instanceof ApiError ? error.errors : [];
    const fields = errors.flatMap(({ field, message }) => (field ? [{ field, message }] : []));
    if (fields.length === 0 || error.announced) return toastError(error);
    onFieldErrors(fields);
  };
  const onSuccess = ({ data }: { data: Template }) => {
    isSaved.current = true;
    onSaved(data);
  };
  const create = useAction(createTemplate, { onError, onSuccess });
  const update = useAction(updateTemplate, { onError, onSuccess });
  const save = (draft: FormDraft) => {
    const { channel, ...body } = toBody(draft);
    if (template) update.mutate({ params: { id: template.id }, body } as CallInput<typeof updateTemplate>);
    else create.mutate({ body: { channel, ...body } } as CallInput<typeof createTemplate>);
  };
  return { save, isSaved, sending: create.isPending || update.isPending };
}
