/** The way to a sender of WhatsApp or Viber, and again after it was sent back. Each step is kept on the server when one goes on. */
import { ACCESS_FORMS } from '@parley/contract/channels/access.ts';
import type { AccessKind } from '@parley/contract/channels/access_kinds.ts';
import { type SenderDetail, submitSender } from '@parley/contract/registrations/registration.ts';
import { createSender } from '@parley/contract/senders/orders.ts';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useRef } from 'react';
import { ApiError } from '../../kernel/http/client.ts';
import { useAction } from '../../kernel/http/query.ts';
import { useReason } from '../../kernel/session/session.tsx';
import { ADD_CHANNEL, REQUEST_PATHS } from '../../paths.ts';
import { accessStepOf, daysWords, KIND_TITLES } from '../../senders/words.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { type Blocker, Wizard } from '../../ui/layout/Wizard.tsx';
import styles from '../Registrations.module.css';
import { ReviewStep, useFindings } from '../ReviewStep.tsx';
import type { Save } from '../section.ts';
import { useSteps } from '../steps.ts';
import { BusinessStep } from './BusinessStep.tsx';
import { ProfileStep } from './ProfileStep.tsx';
import { ViberAccountStep } from './ViberAccountStep.tsx';
import { ViberDocumentsStep } from './ViberDocumentsStep.tsx';
import { WhatsappAccountStep } from './WhatsappAccountStep.tsx';

const STEPS = {
  whatsapp: ['business', 'account', 'profile', 'review'],
  viber: ['business', 'account', 'documents', 'review'],
} as const;
const LABELS = {
  business: 'Business details',
  account: 'Account details',
  documents: 'Documents',
  profile: 'Profile content',
  review: 'Check',
} as const;

export function AccessWizard({ kind, sender }: { kind: AccessKind; sender: SenderDetail | null }) {
  const navigate = useNavigate();
  const { step: given } = useSearch({ strict: false }) as { step?: string };
  const saver = useRef<Save | null>(null);
  const { findings, checking } = useFindings(sender, kind);
  const mayNot = useReason(createSender.needs);
  const submit = useAction(submitSender, { onError: () => {} });

  const keys: readonly (keyof typeof LABELS)[] = STEPS[kind];
  const active = sender ? Math.max(0, keys.indexOf((given ?? 'business') as keyof typeof LABELS)) : 0;
  const key = keys[active]!;
  const open = useSteps(REQUEST_PATHS[kind], keys, sender?.id);

  const send = async (): Promise<Blocker[] | undefined> => {
    try {
      await submit.mutateAsync({ params: { id: sender!.id }, body: {} });
      toast.success(`Your request for ${ACCESS_FORMS[kind].label} was sent`);
      void navigate({ to: ADD_CHANNEL });
      return undefined;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return error.errors.length > 0
        ? error.errors.map(({ message, field }) => ({ key: `${field} ${message}`, text: message }))
        : [{ key: 'refused', text: error.message }];
    }
  };
  const next = async (): Promise<Blocker[] | undefined> => {
    if (key === 'review') return send();
    const wrong = await saver.current?.();
    if (wrong) return wrong;
    // The first step goes on with the id it has just been given.
    if (key !== 'business') void open(active + 1);
    return undefined;
  };
  const blocked = key === 'review' && findings.some(({ level }) => level === 'blocker');
  const said = sender?.reasons.filter(({ field }) => accessStepOf(field, kind) === key) ?? [];

  return (
    <Wizard
      title={KIND_TITLES[kind]}
      steps={keys.map((one) => ({ key: one, label: LABELS[one] }))}
      active={active}
      onStep={(index) => void open(index)}
      onNext={next}
      onClose={() => void navigate({ to: ADD_CHANNEL })}
      lastLabel={sender && sender.status !== 'unregistered' ? 'Send again' : 'Send for approval'}
      nextReason={mayNot ?? (blocked ? 'Mend what would be rejected first' : null)}
      note={sender && key !== 'review' ? 'Kept as you go on' : undefined}
    >
      {key !== 'review' && said.length > 0 && (
        <Notice tone="fail" className={styles.said}>
          {said.map(({ text }) => text).join(' ')}
        </Notice>
      )}
      {key === 'business' && (
        <BusinessStep kind={kind} sender={sender} saver={saver} onSaved={(id) => void open(1, id)} />
      )}
      {key === 'account' &&
        sender &&
        (kind === 'whatsapp' ? (
          <WhatsappAccountStep sender={sender} saver={saver} />
        ) : (
          <ViberAccountStep sender={sender} saver={saver} />
        ))}
      {key === 'profile' && sender && <ProfileStep sender={sender} saver={saver} />}
      {key === 'documents' && sender && <ViberDocumentsStep sender={sender} saver={saver} />}
      {key === 'review' && sender && (
        <>
          <ReviewStep
            sender={sender}
            findings={findings}
            checking={checking}
            onMend={(field) => void open(keys.indexOf(accessStepOf(field, kind)))}
          />
          {sender.expected_days && (
            <p className={styles.hint} style={{ marginTop: 16 }}>
              {ACCESS_FORMS[kind].label} review takes {daysWords(sender.expected_days).replace('working', 'business')}.
              You are told by mail what is decided.
            </p>
          )}
        </>
      )}
    </Wizard>
  );
}
