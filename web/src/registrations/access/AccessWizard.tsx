/** The wizard for WhatsApp and Viber requests. Each step is saved when the user continues. */
import { ACCESS_FORMS } from '@parley/contract/channels/access.ts';
import type { AccessKind } from '@parley/contract/channels/access_kinds.ts';
import type { SenderDetail } from '@parley/contract/registrations/registration.ts';
import { createSender } from '@parley/contract/senders/orders.ts';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useRef } from 'react';
import { useReason } from '../../kernel/session/session.tsx';
import { ADD_CHANNEL, REQUEST_PATHS } from '../../paths.ts';
import { daysText, KIND_TITLES } from '../../senders/labels.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { type Blocker, Wizard } from '../../ui/layout/Wizard.tsx';
import styles from '../Registrations.module.css';
import { ReviewStep, submitLabel, useFindings } from '../ReviewStep.tsx';
import type { Save } from '../section.ts';
import { useSteps } from '../steps.ts';
import { useSubmitRequest } from '../submit_request.ts';
import { AccessStep } from './AccessStep.tsx';
import { accessStep, accessSteps } from './access_steps.ts';
import { BusinessStep } from './BusinessStep.tsx';

export function AccessWizard({ kind, sender }: { kind: AccessKind; sender: SenderDetail | null }) {
  const navigate = useNavigate();
  const { step: stepParameter } = useSearch({ strict: false }) as { step?: string };
  const saver = useRef<Save | null>(null);
  const { findings, checking } = useFindings(sender, kind);
  const reason = useReason(createSender.needs);
  const submit = useSubmitRequest(() => {
    toast.success(`Your ${ACCESS_FORMS[kind].label} request was submitted`);
    void navigate({ to: ADD_CHANNEL });
  });

  const steps = accessSteps(kind);
  const keys = steps.map((step) => step.key);
  const active = sender ? Math.max(0, keys.indexOf(stepParameter ?? 'business')) : 0;
  const key = keys[active]!;
  const open = useSteps(REQUEST_PATHS[kind], keys, sender?.id);

  const next = async (): Promise<Blocker[] | undefined> => {
    if (key === 'review') return submit(sender!.id);
    const blockers = await saver.current?.();
    if (blockers) return blockers;
    // The first step opens the next one itself, with the new ID.
    if (key !== 'business') void open(active + 1);
    return undefined;
  };
  const blocked = key === 'review' && findings.some(({ level }) => level === 'blocker');
  const reasons = sender?.reasons.filter(({ field }) => accessStep(field, kind) === key) ?? [];

  return (
    <Wizard
      title={KIND_TITLES[kind]}
      steps={steps}
      active={active}
      onStep={(index) => void open(index)}
      onNext={next}
      onClose={() => void navigate({ to: ADD_CHANNEL })}
      lastLabel={submitLabel(!sender || sender.status === 'unregistered', findings)}
      nextReason={reason ?? (blocked ? 'Fix the problems above first' : null)}
      note={sender && key !== 'review' ? 'Each step is saved when you continue' : undefined}
    >
      {key !== 'review' && reasons.length > 0 && (
        <Notice tone="fail" className={styles.stepReasons}>
          {reasons.map(({ text }) => text).join(' ')}
        </Notice>
      )}
      {key === 'business' ? (
        <BusinessStep kind={kind} sender={sender} saver={saver} onSaved={(id) => void open(1, id)} />
      ) : (
        sender && key !== 'review' && <AccessStep name={key} kind={kind} sender={sender} saver={saver} />
      )}
      {key === 'review' && sender && (
        <>
          <ReviewStep
            sender={sender}
            findings={findings}
            checking={checking}
            onFix={(field) => void open(keys.indexOf(accessStep(field, kind)))}
          />
          {sender.expected_days && (
            <p className={styles.hint} style={{ marginTop: 16 }}>
              {ACCESS_FORMS[kind].label} review takes {daysText(sender.expected_days)}. We will email you the decision.
            </p>
          )}
        </>
      )}
    </Wizard>
  );
}
