/** The state of a decision on a request: the chosen outcome, its fields and errors, and its submission. */
import { cannedReasons } from '@parley/contract/admin/request_reasons.ts';
import { decideRequest, type RequestDetail } from '@parley/contract/admin/requests.ts';
import { useState } from 'react';
import { ApiError } from '../../kernel/http/client.ts';
import { toastError, useAction } from '../../kernel/http/query.ts';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { type Approval, approvalErrors, type DecisionErrors } from './ApproveFields.tsx';

export type Decision = 'approve' | 'reject' | 'ask';

const TOASTS: Record<Decision, string> = {
  approve: ' was approved',
  reject: ' was rejected',
  ask: ': more information requested',
};
/** Maps each field in an error from the server to the form field that shows the error. */
const FIELDS = {
  code: 'code',
  connection_id: 'connection',
  carrier_address: 'address',
  external_id: 'template_id',
  external_language: 'template_language',
  reason: 'note',
} as const;

const initialApproval = ({ sender, template }: RequestDetail): Approval => ({
  code: '',
  connection_id: sender?.connection_id ?? sender?.connections.find(({ enabled }) => enabled)?.id ?? null,
  address: sender?.carrier_address ?? '',
  external_id: '',
  external_language: template?.template.language.split('_')[0] ?? '',
});

const approvalBody = ({ code, connection_id, address, external_id, external_language }: Approval) => ({
  ...(code.trim() ? { code: code.trim() } : {}),
  ...(connection_id ? { connection_id, carrier_address: address.trim() } : {}),
  ...(external_id.trim() ? { external_id: external_id.trim(), external_language: external_language.trim() } : {}),
});

export function useDecision(request: RequestDetail, onDecided: (id: string) => void) {
  // A request awaiting the customer's reply cannot be approved.
  const isAwaitingReply = request.status === 'asked';
  const [decision, setDecision] = useState<Decision>(isAwaitingReply ? 'ask' : 'approve');
  const [approval, setApproval] = useState(() => initialApproval(request));
  const [chosen, setChosen] = useState<string[]>([]);
  const [note, setNote] = useState('');
  const [errors, setErrors] = useState<DecisionErrors>({});
  const canned = cannedReasons(request.kind);
  const reasons = canned.filter(({ key }) => chosen.includes(key)).map(({ field, text }) => ({ field, text }));
  const message = [...reasons.map(({ text }) => text), note.trim()].filter(Boolean).join(' ');
  const decide = useAction(decideRequest, {
    invalidates: ['request_details', 'customers'],
    onSuccess: () => {
      toast.success(`${request.name}${TOASTS[decision]}`);
      onDecided(request.id);
    },
    onError: (error) => {
      const issue = error instanceof ApiError ? error.errors.find(({ field }) => field && field in FIELDS) : undefined;
      if (issue) setErrors({ [FIELDS[issue.field as keyof typeof FIELDS]]: issue.message });
      else toastError(error);
    },
  });
  const canSubmit = decision !== 'approve' || !isAwaitingReply;
  const check = (): DecisionErrors => {
    if (decision === 'approve') return approvalErrors(request, approval);
    return message === '' ? { note: 'Select a reason or write a message to the customer' } : {};
  };
  const submit = () => {
    if (decide.isPending || !canSubmit) return;
    const issues = check();
    setErrors(issues);
    if (Object.keys(issues).length > 0) return;
    const body = decision === 'approve' ? approvalBody(approval) : { reasons, note: note.trim() };
    decide.mutate({ params: { id: request.id }, body: { decision, revision: request.revision, ...body } });
  };
  /** Any change clears the errors. */
  const clearing =
    <T>(change: (value: T) => void) =>
    (value: T) => {
      change(value);
      setErrors({});
    };
  return {
    decision,
    approval,
    chosen,
    note,
    errors,
    canned,
    message,
    canSubmit,
    isPending: decide.isPending,
    submit,
    setDecision: clearing(setDecision),
    changeApproval: clearing((change: Partial<Approval>) => setApproval({ ...approval, ...change })),
    setChosen: clearing(setChosen),
    setNote: clearing(setNote),
  };
}
