/**
 * The errors below the fields of a form that is validated with findings. An error appears after the user has left its
 * field or has tried to submit the form. The `data-field` attribute names a field.
 */
import type { Finding } from '@parley/contract/templates/draft.ts';
import { type FocusEvent, type RefObject, useRef, useState } from 'react';
import { afterRelease } from '../kernel/form/pointer_release.ts';

export type FieldFinding = Pick<Finding, 'field' | 'message'>;
/** The error to show below a field; null if there is none. */
export type FieldError = (field: string) => string | null;

interface FieldErrors<E extends HTMLElement> {
  /** The ref for the form element. */
  ref: RefObject<E | null>;
  onBlur: (event: FocusEvent) => void;
  fieldError: FieldError;
  /** Returns true if there are no findings. Otherwise shows all of them and focuses the first field that has one. */
  validate: () => boolean;
}

export function useFieldErrors<E extends HTMLElement>(findings: readonly FieldFinding[]): FieldErrors<E> {
  const ref = useRef<E>(null);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [isTried, setTried] = useState(false);
  return {
    ref,
    onBlur: ({ target }) => {
      const field = (target as Element).closest('[data-field]')?.getAttribute('data-field');
      if (!field) return;
      const addField = () => setLeft((before) => (before.has(field) ? before : new Set(before).add(field)));
      afterRelease(addField);
    },
    fieldError: (field) =>
      isTried || left.has(field) ? (findings.find((finding) => finding.field === field)?.message ?? null) : null,
    validate: () => {
      setTried(true);
      if (findings.length === 0) return true;
      focusFirst(
        ref.current,
        findings.map(({ field }) => field),
      );
      return false;
    },
  };
}

/** Focuses whichever of these fields comes first on the page. */
export function focusFirst(root: HTMLElement | null, fields: readonly string[]): void {
  const elements = [...(root?.querySelectorAll<HTMLElement>('[data-field]') ?? [])];
  const element = elements.find(({ dataset }) => fields.includes(dataset.field!));
  element?.querySelector<HTMLElement>('textarea, input:not([type=hidden]), button')?.focus();
  element?.scrollIntoView?.({ block: 'nearest' });
}
