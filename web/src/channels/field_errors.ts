/** What to say under the fields of a form that is checked by findings: once a field was left, or sending was tried. `data-field` names it. */
import type { Finding } from '@parley/contract/templates/draft.ts';
import { type FocusEvent, type RefObject, useRef, useState } from 'react';
import { afterRelease } from '../kernel/form/pointer_release.ts';

export type FieldFinding = Pick<Finding, 'field' | 'message'>;
export type ErrorOf = (field: string) => string | null;

export interface FieldErrors<E extends HTMLElement> {
  /** On the form. */
  ref: RefObject<E | null>;
  onBlur: (event: FocusEvent) => void;
  errorOf: ErrorOf;
  /** True when nothing is wrong. Otherwise all of it is said, and the first field of it is where one goes on. */
  demand: () => boolean;
}

export function useFieldErrors<E extends HTMLElement>(findings: readonly FieldFinding[]): FieldErrors<E> {
  const ref = useRef<E>(null);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [tried, setTried] = useState(false);
  const wordsOf: ErrorOf = (field) => findings.find((one) => one.field === field)?.message ?? null;
  return {
    ref,
    onBlur: ({ target }) => {
      const field = (target as Element).closest('[data-field]')?.getAttribute('data-field');
      if (!field) return;
      const note = () => setLeft((before) => (before.has(field) ? before : new Set(before).add(field)));
      afterRelease(note);
    },
    errorOf: (field) => (tried || left.has(field) ? wordsOf(field) : null),
    demand: () => {
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

/** Of these, the one that stands first on the page. */
export function focusFirst(root: HTMLElement | null, fields: readonly string[]): void {
  const places = [...(root?.querySelectorAll<HTMLElement>('[data-field]') ?? [])];
  const place = places.find((one) => fields.includes(one.dataset.field!));
  place?.querySelector<HTMLElement>('textarea, input:not([type=hidden]), button')?.focus();
  place?.scrollIntoView?.({ block: 'nearest' });
}
