/** The form of a template: every finding is there at once, and is shown once its field was left or saving was tried. */
import { createTemplate, type Template, updateTemplate } from '@parley/contract/templates/templates.ts';
import { type FocusEvent, type FormEvent, useEffect, useMemo, useRef, useState } from 'react';
import { useUnsavedGuard } from '../kernel/form/form.ts';
import { afterRelease } from '../kernel/form/pointer_release.ts';
import { useSavedDraft } from '../kernel/form/saved_draft.ts';
import { ApiError, type CallInput } from '../kernel/http/client.ts';
import { toastError, useAction } from '../kernel/http/query.ts';
import { type FieldFinding, type FormDraft, findingsOf, formField, toBody } from './draft.ts';

export interface TemplateForm {
  draft: FormDraft;
  change: (part: Partial<FormDraft>) => void;
  /** What is chosen without being asked: nothing is begun with it. */
  settle: (part: Partial<FormDraft>) => void;
  /** What to say under a field now. */
  errorOf: (field: string) => string | null;
  /** Everything that is still in the way, whether shown under its field or not. */
  findings: readonly FieldFinding[];
  /** Something has been written, so that it can be said what is missing. */
  begun: boolean;
  tried: boolean;
  sending: boolean;
  onSubmit: (event: FormEvent) => void;
  /** On the form: notes which field was left. */
  onBlur: (event: FocusEvent) => void;
}

export function useTemplateForm(
  given: FormDraft,
  template: Template | null,
  onSaved: (template: Template) => void,
): TemplateForm {
  const [initial, setInitial] = useState(given);
  // One that was changed meanwhile begins with what stands now.
  const typed = useSavedDraft(
    template ? `template.${template.id}.${template.update_date}` : `template.new.${initial.channel}.${initial.name}`,
    initial,
  );
  const [draft, setDraft] = useState(typed.saved ? { ...initial, ...typed.saved } : initial);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [tried, setTried] = useState(false);
  const [refused, setRefused] = useState<readonly FieldFinding[]>([]);
  // At once, and not with the next drawing: whoever saved leaves before that.
  const saved = useRef(false);
  const begun = draft !== initial;
  const wrong = useMemo(() => findingsOf(draft), [draft]);
  const findings = wrong.length > 0 ? wrong : refused;

  const onError = (error: ApiError) => {
    const fields = error instanceof ApiError ? error.errors.filter(({ field }) => field) : [];
    if (fields.length === 0 || error.announced) return toastError(error);
    const placed = fields.map(({ field, message }) => ({ field: formField(field!, draft), message }));
    setRefused(placed);
    focusField(placed[0]!.field);
  };
  const onSuccess = ({ data }: { data: Template }) => {
    saved.current = true;
    typed.discard();
    onSaved(data);
  };
  const create = useAction(createTemplate, { onError, onSuccess });
  const update = useAction(updateTemplate, { onError, onSuccess });
  const sending = create.isPending || update.isPending;
  useUnsavedGuard(() => begun && !saved.current, typed.discard);

  useEffect(() => {
    if (begun && !saved.current) typed.save(draft);
  }, [begun, draft, typed]);

  const change = (part: Partial<FormDraft>) => {
    setDraft((before) => ({ ...before, ...part }));
    setRefused((before) => before.filter(({ field }) => !(field.split('.')[0]! in part)));
  };
  const settle = (part: Partial<FormDraft>) => {
    const next = { ...draft, ...part };
    if (!begun) setInitial(next);
    setDraft(next);
  };
  return {
    draft,
    change,
    settle,
    errorOf: (field) =>
      refused.find((one) => one.field === field)?.message ??
      (tried || left.has(field) ? (wrong.find((one) => one.field === field)?.message ?? null) : null),
    findings,
    begun,
    tried,
    sending,
    onSubmit: (event) => {
      event.preventDefault();
      setTried(true);
      if (sending) return;
      const first = wrong[0];
      if (first) return focusField(first.field);
      const { channel, ...body } = toBody(draft);
      if (template) update.mutate({ params: { id: template.id }, body } as CallInput<typeof updateTemplate>);
      else create.mutate({ body: { channel, ...body } } as CallInput<typeof createTemplate>);
    },
    onBlur: (event) => {
      const field = (event.target as Element).closest('[data-field]')?.getAttribute('data-field');
      // Nothing is held against a field that was only passed through.
      if (field && begun)
        afterRelease(() => setLeft((before) => (before.has(field) ? before : new Set(before).add(field))));
    },
  };
}

/** The first thing that can be typed in or pressed there. */
export function focusField(field: string): void {
  const place = document.querySelector(`[data-field="${CSS.escape(field)}"]`);
  const inside = place?.querySelector<HTMLElement>('textarea, input:not([type=hidden]), button');
  inside?.focus();
  place?.scrollIntoView?.({ block: 'nearest' });
}
