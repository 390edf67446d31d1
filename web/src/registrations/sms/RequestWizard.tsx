/** The wizard for sender ID, short code, toll-free, and 10DLC requests. Each step is saved when the user continues. */
import {
  putTcr,
  REQUEST_SECTIONS,
  type SectionName,
  type SenderDetail,
} from '@parley/contract/registrations/registration.ts';
import { createSender } from '@parley/contract/senders/orders.ts';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ComponentType, useRef } from 'react';
import { useReason } from '../../kernel/session/session.tsx';
import { linkTo, REQUEST_PATHS, SENDERS } from '../../paths.ts';
import { KIND_TITLES } from '../../senders/labels.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { type Blocker, Wizard } from '../../ui/layout/Wizard.tsx';
import { CampaignStep, KeywordStep, SignupStep, type StepProps } from '../PurposeSteps.tsx';
import styles from '../Registrations.module.css';
import { ReviewStep, submitLabel, useFindings } from '../ReviewStep.tsx';
import type { Save } from '../section.ts';
import { useSteps } from '../steps.ts';
import { useSubmitRequest } from '../submit_request.ts';
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
const START_LABELS: Record<FormKind, string> = {
  sender_id: 'Sender ID',
  short_code: 'Code',
  toll_free: 'Number',
  tcr: 'Number',
};

export function RequestWizard({ kind, sender }: { kind: FormKind; sender: SenderDetail | null }) {
  const navigate = useNavigate();
  const { step: stepParameter } = useSearch({ strict: false }) as { step?: string };
  const saver = useRef<Save | null>(null);
  const { findings, checking } = useFindings(sender, kind);
  const reason = useReason(kind === 'toll_free' || kind === 'tcr' ? putTcr.needs : createSender.needs);
  const submit = useSubmitRequest((data) => {
    toast.success(`${data.code || data.name} was submitted for review`);
    void navigate(linkTo(SENDERS, { open: data.id }));
  });

  const sections = REQUEST_SECTIONS[kind];
  const keys = ['start', ...sections, 'documents', 'review'] as const;
  const active = sender ? Math.max(0, keys.indexOf((stepParameter ?? 'start') as (typeof keys)[number])) : 0;
  const key = keys[active]!;
  const open = useSteps(REQUEST_PATHS[kind], keys, sender?.id);
  const openField = (field: string) => {
    const name = field.split('.')[0]!;
    const step = name === 'attachments' ? 'documents' : (sections as readonly string[]).includes(name) ? name : 'start';
    void open(keys.indexOf(step as (typeof keys)[number]));
  };

  const next = async (): Promise<Blocker[] | undefined> => {
    if (key === 'review') return submit(sender!.id);
    const blockers = await saver.current?.();
    if (blockers) return blockers;
    // The first step opens the next one itself, with the new ID.
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
            ? START_LABELS[kind]
            : one === 'documents'
              ? 'Documents'
              : one === 'review'
                ? 'Review'
                : STEPS[one].label,
      }))}
      active={active}
      onStep={(index) => void open(index)}
      onNext={next}
      onClose={() => void navigate({ to: SENDERS })}
      lastLabel={submitLabel(sender?.status === 'unregistered' || !sender, findings)}
      nextReason={reason ?? (blocked ? 'Fix the problems above first' : null)}
      note={sender && key !== 'review' ? 'Each step is saved when you continue' : undefined}
    >
      {sender && key !== 'review' && <StepReasons reasons={stepReasons(sender, key)} />}
      {key === 'start' && <StartStep kind={kind} sender={sender} saver={saver} onSender={(id) => void open(1, id)} />}
      {Section && sender && <Section key={key} sender={sender} saver={saver} />}
      {key === 'documents' && sender && <DocumentsStep sender={sender} saver={saver} />}
      {key === 'review' && sender && (
        <ReviewStep sender={sender} findings={findings} checking={checking} onFix={openField} />
      )}
    </Wizard>
  );
}

const START_FIELDS = ['code', 'wish', 'countries', 'name'];

function stepReasons({ reasons }: SenderDetail, step: string): string[] {
  return reasons
    .filter(({ field }) => {
      const name = field.split('.')[0]!;
      return step === 'start'
        ? START_FIELDS.includes(name)
        : step === 'documents'
          ? name === 'attachments'
          : name === step;
    })
    .map(({ text }) => text);
}

/** The review reasons that concern this step. */
function StepReasons({ reasons }: { reasons: readonly string[] }) {
  if (reasons.length === 0) return null;
  return (
    <Notice tone="fail" className={styles.stepReasons}>
      {reasons.join(' ')}
    </Notice>
  );
}
