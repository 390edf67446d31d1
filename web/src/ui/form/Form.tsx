/** The form element of every form: our own validation, and the summary of errors above the fields. */
import type { ComponentProps, Ref, SubmitEventHandler } from 'react';
import { ErrorSummary } from './ErrorSummary.tsx';
import type { FieldIssue } from './form_errors.ts';

export interface FormBinding {
  ref: Ref<HTMLFormElement>;
  onSubmit: SubmitEventHandler<HTMLFormElement>;
  /** The invalid fields of the last submit. */
  issues: readonly FieldIssue[];
  isFixed: (name: string) => boolean;
}

type FormProps = FormBinding & Omit<ComponentProps<'form'>, keyof FormBinding>;

export function Form({ issues, isFixed, children, ...form }: FormProps) {
  return (
    <form noValidate {...form}>
      <ErrorSummary issues={issues} isFixed={isFixed} />
      {children}
    </form>
  );
}
