/** The way from nothing to a request that is sent, and again after it was sent back. Each step is kept on the server when one goes on. */

import {
  putTcr,
  REQUEST_SECTIONS,
  type SectionName,
  type SenderDetail,
  submitSender,
} from '@parley/contract/registrations/registration.ts';
import { createSender } from '@parley/contract/senders/orders.ts';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ComponentType, useRef } from 'react';
import { ApiError } from '../../kernel/http/client.ts';
import { useAction } from '../../kernel/http/query.ts';
import { useReason } from '../../kernel/session/session.tsx';
import { linkTo, REQUEST_PATHS, SENDERS } from '../../paths.ts';
import { KIND_TITLES } from '../../senders/words.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { type Blocker, Wizard } from '../../ui/layout/Wizard.tsx';
import { CampaignStep, KeywordStep, SignupStep, type StepProps } from '../PurposeSteps.tsx';
import styles from '../Registrations.module.css';
import { ReviewStep, useFindings } from '../ReviewStep.tsx';
import type { Save } from '../section.ts';
import { useSteps } from '../steps.ts';
import { CompanyStep } from './CompanyStep.tsx';
import { ExamplesStep, TcrStep, TollFreeStep } from './DetailSteps.tsx';
import { DocumentsStep } from './DocumentsStep.tsx';
import type { FormKind } from './form_kind.ts';
import { StartStep } from './StartStep.tsx';

const STEPS: Record<SectionName, { label: string; Step: ComponentType<StepProps> }> = {
  company: { label: 'Company', Step: CompanyStep },
  tcr: { label: 'Registry', Step: TcrStep },
  sms_campaign: { label: 'Purpose', Step: CampaignStep },
  signup_options: { label: 'Opt-in', Step: SignupStep },
  example_messages: { label: 'Examples', Step: ExamplesStep },
  compliance_keyword_responses: { label: 'Keywords', Step: KeywordStep },
  toll_free: { label: 'Toll-free', Step: TollFreeStep },
};
const START: Record<FormKind, string> = {
  sender_id: 'Sender ID',
  short_code: 'Code',
  toll_free: 'Number',
  tcr: 'Number',
};

export function RequestWizard({ kind, sender }: { kind: FormKind; sender: SenderDetail | null }) {
  const navigate = useNavigate();
  const { step: given } = useSearch({ strict: false }) as { step?: string };
  const saver = useRef<Save | null>(null);
  const { findings, checking } = useFindings(sender, kind);
  const mayNot = useReason(kind === 'toll_free' || kind === 'tcr' ? putTcr.needs : createSender.needs);
  const submit = useAction(submitSender, { invalidates: ['senders'], onError: () => {} });

  const sections = REQUEST_SECTIONS[kind];
  const keys = ['start', ...sections, 'documents', 'review'] as const;
  const active = sender ? Math.max(0, keys.indexOf((given ?? 'start') as (typeof keys)[number])) : 0;
  const key = keys[active]!;
  const open = useSteps(REQUEST_PATHS[kind], keys, sender?.id);
  const mend = (field: string) => {
    const name = field.split('.')[0]!;
    const at = name === 'attachments' ? 'documents' : (sections as readonly string[]).includes(name) ? name : 'start';
    void open(keys.indexOf(at as (typeof keys)[number]));
  };

  const send = async (): Promise<Blocker[] | undefined> => {
    try {
      const { data } = await submit.mutateAsync({ params: { id: sender!.id }, body: {} });
      toast.success(`${data.code || data.name} was sent for approval`);
      void navigate(linkTo(SENDERS, { open: data.id }));
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
    if (key !== 'start') void open(active + 1);
    return undefined;
  };

  const blocked = key === 'review' && findings.some(({ level }) => level === 'blocker');
  const Section = key in STEPS ? STEPS[key as SectionName].Step : null;
  return (
    <Wizard
      title={KIND_TITLES[kind]}
      steps={keys.map((one) => ({
        key: one,
        label:
          one === 'start'
            ? START[kind]
            : one === 'documents'
              ? 'Documents'
              : one === 'review'
                ? 'Check'
                : STEPS[one].label,
      }))}
      active={active}
      onStep={(index) => void open(index)}
      onNext={next}
      onClose={() => void navigate({ to: SENDERS })}
      lastLabel={sender?.status === 'unregistered' || !sender ? 'Send for approval' : 'Send again'}
      nextReason={mayNot ?? (blocked ? 'Mend what would be rejected first' : null)}
      note={sender && key !== 'review' ? 'Kept as you go on' : undefined}
    >
      {sender && key !== 'review' && <StepReasons reasons={reasonsOf(sender, key)} />}
      {key === 'start' && <StartStep kind={kind} sender={sender} saver={saver} onSender={(id) => void open(1, id)} />}
      {Section && sender && <Section key={key} sender={sender} saver={saver} />}
      {key === 'documents' && sender && <DocumentsStep sender={sender} saver={saver} />}
      {key === 'review' && sender && (
        <ReviewStep sender={sender} findings={findings} checking={checking} onMend={mend} />
      )}
    </Wizard>
  );
}

const STARTING = ['code', 'wish', 'countries', 'name'];

function reasonsOf({ reasons }: SenderDetail, step: string): string[] {
  return reasons
    .filter(({ field }) => {
      const name = field.split('.')[0]!;
      return step === 'start' ? STARTING.includes(name) : step === 'documents' ? name === 'attachments' : name === step;
    })
    .map(({ text }) => text);
}

/** What was said about this step, where it is mended. */
function StepReasons({ reasons }: { reasons: readonly string[] }) {
  if (reasons.length === 0) return null;
  return (
    <Notice tone="fail" className={styles.said}>
      {reasons.join(' ')}
    </Notice>
  );
}
