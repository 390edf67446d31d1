/** The errors below the fields of the wizard. An error disappears once its field has another value. */
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { useState } from 'react';
import type { Blocker } from '../../ui/layout/Wizard.tsx';
import { checkMessage, checkName, type StepField, type StepProblem } from './checks.ts';
import type { Draft } from './draft.ts';

export interface StepErrors {
  /** The error to show below the field. */
  fieldError: (field: StepField) => string | undefined;
  /** Validates a field that the user has left. A field without a value is validated when the user continues. */
  onLeave: (field: StepField) => void;
  /** Shows the problems at their fields, and returns what blocks the open step. */
  toBlockers: (problems: readonly StepProblem[]) => Omit<Blocker, 'fix'>[];
}

type Errors = Partial<Record<StepField, { text: string; value: string | null }>>;

const readField = (draft: Draft, field: StepField): string | null =>
  ({
    name: draft.name,
    sender: draft.sender_id,
    audience: draft.audience_id,
    text: draft.text,
    template: draft.template_id,
    session_text: draft.session_text,
    content: '',
    fallbacks: '',
  })[field];

export function useStepErrors(
  channel: ChannelName,
  draft: Draft,
  own_id: string | null,
  /** The keys of the account's own fields for contacts. */
  fields: readonly string[],
): StepErrors {
  const [errors, setErrors] = useState<Errors>({});
  const show = (problems: readonly StepProblem[]) =>
    setErrors((old) => ({
      ...old,
      ...Object.fromEntries(
        problems.flatMap(({ field, text }) => (field ? [[field, { text, value: readField(draft, field) }]] : [])),
      ),
    }));
  return {
    fieldError: (field) => {
      const error = errors[field];
      return error?.value === readField(draft, field) ? error.text : undefined;
    },
    onLeave: (field) => {
      if (!readField(draft, field)?.trim()) return;
      if (field === 'name') void checkName(draft.name, own_id).then(show);
      if (field === 'text' || field === 'session_text') show(checkMessage(channel, draft, fields));
    },
    toBlockers: (problems) => {
      show(problems);
      return problems.map(({ key, text, field }) => ({ key, text, ...(field ? { field } : {}) }));
    },
  };
}
