/** Creates or edits a campaign in three steps. The browser keeps the draft until the last step sends it. */
import { Button } from '@mantine/core';
import { channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useContactFields } from '../../audiences/people/contact_fields.ts';
import { channelLabel } from '../../channels/index.ts';
import { useSession } from '../../kernel/session/session.tsx';
import { campaignsPath } from '../../paths.ts';
import { fromLocal, toWire } from '../../ui/controls/local_time.ts';
import { formatCount, formatDateTime, formatMoney } from '../../ui/data/format.ts';
import { useZone } from '../../ui/data/zone.ts';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { type Blocker, Wizard } from '../../ui/layout/Wizard.tsx';
import { missingPart } from './automation/automation.ts';
import { checkName, checkSetup, STEPS, type StepProblem } from './checks.ts';
import { type PreviewState, type SampleState, useAudiences, usePreview, useSample, useSenders } from './choices.ts';
import { ContentStep } from './content/ContentStep.tsx';
import { FallbackSection } from './content/FallbackSection.tsx';
import { TestSendButton } from './content/TestSendButton.tsx';
import { DraftNotice } from './DraftNotice.tsx';
import { type Draft, draftKey, isEmpty, isTimed, newDraft } from './draft.ts';
import { MessageStep } from './MessageStep.tsx';
import { PhoneAside } from './PhoneAside.tsx';
import { ReviewStep } from './ReviewStep.tsx';
import { localStart } from './ScheduleField.tsx';
import { SetupStep } from './SetupStep.tsx';
import type { StepProps } from './step.ts';
import { useDraft } from './useDraft.ts';
import { useSave } from './useSave.ts';
import { useStep } from './useStep.ts';
import { type StepErrors, useStepErrors } from './useStepErrors.ts';
import { TestFields, VariantTabs } from './VariantFields.tsx';
import { checkVariants, useVariant, type VariantState } from './variants.ts';
import styles from './Wizard.module.css';

export interface CampaignWizardProps {
  channel: ChannelName;
  /** The campaign to edit; null creates one. */
  id: string | null;
  /** Distinguishes a user's drafts: `new`, or the campaign's ID. */
  about: string;
  initial?: Draft;
}

export function CampaignWizard({ channel, id, about, initial }: CampaignWizardProps) {
  const navigate = useNavigate();
  const { user, account } = useSession();
  const draftState = useDraft(draftKey(user.id, channel, about), initial ?? newDraft(account));
  const { draft, change, isStale } = draftState;
  const { active, setActive, goTo } = useStep();
  const { schedule, startTime } = useSchedule(draft);
  const { senders, audience, failure } = useSelection(channel, draft, change, () => active > 0 && setActive(0));
  const [index, setIndex] = useRecipientIndex(draft.audience_id);
  const variants = useVariant(draft, change);
  const sample = useSample(channel, variants.shown, index);
  const review = usePreview(channel, draft, schedule, active === 2);
  const fields = useContactFields().map(({ key }) => key);
  const errors = useStepErrors(channel, variants.shown, id, fields);
  const { save, isSaving } = useSave({ channel, id, draft, schedule, onSaved: draftState.finish });

  const checkStep = async (): Promise<StepProblem[]> => {
    if (active === 0) return [...(await checkName(draft.name, id)), ...checkSetup(draft, senders)];
    if (active === 1) return checkVariants(channel, draft, fields, variants.variant);
    return checkReview(draft, schedule, review);
  };
  const next = async (): Promise<undefined | Blocker[]> => {
    const isLast = active === STEPS.length - 1;
    const problems = await checkStep();
    if (problems.length === 0 && isLast) problems.push(...(await save(true)));
    if (problems.length > 0) return toBlockers(problems, errors, active, goTo);
    if (!isLast) setActive(active + 1);
    return undefined;
  };
  const saveDraft = async () => {
    for (const { text } of await save(false)) toast.error(text);
  };

  const step = { channel, draft, change, errors };
  const sender = senders?.find((row) => row.id === draft.sender_id);
  return (
    <Wizard
      title={id ? 'Edit campaign' : `New ${channelLabel(channel)} campaign`}
      steps={STEPS}
      active={active}
      onStep={setActive}
      onNext={next}
      onClose={() => void navigate({ href: campaignsPath(channel) })}
      lastLabel={sendLabel(draft, review.preview, startTime)}
      nextReason={waitReason(isStale, active === 2 && review.counting)}
      note={
        !isEmpty(draft) &&
        !isStale && <SaveDraftButton active={active} busy={isSaving} onClick={() => void saveDraft()} />
      }
      aside={
        active > 0 && (
          <PhoneAside
            channel={channel}
            sender={sender?.code ?? ''}
            draft={variants.shown}
            index={index}
            onStep={setIndex}
            {...sample}
          />
        )
      }
    >
      <DraftNotice draftState={draftState} isFirstStep={active === 0} />
      {active === 0 && <SetupStep {...step} senders={senders} failure={failure} />}
      {active === 1 && (
        <ChannelMessageStep {...step} {...sample} index={index} variants={variants} sender={sender?.code ?? ''} />
      )}
      {active === 2 && (
        <ReviewStep
          {...step}
          {...review}
          sender_name={sender?.name ?? ''}
          audience_name={audience?.name ?? ''}
          onStep={goTo}
        />
      )}
    </Wizard>
  );
}

/** The message, as the channel allows it, and its fallbacks. */
function ChannelMessageStep({
  sender,
  variants,
  index,
  ...step
}: StepProps & SampleState & { sender: string; variants: VariantState; index: number }) {
  const shown = { ...step, draft: variants.shown, change: variants.changeShown };
  return (
    <>
      <VariantTabs {...step} {...variants} />
      {channelRules(step.channel).rich ? <ContentStep {...shown} sender={sender} /> : <MessageStep {...shown} />}
      <TestSendButton channel={step.channel} draft={variants.shown} offset={index} />
      <TestFields {...step} />
      <FallbackSection {...step} />
    </>
  );
}

/** The senders to select from, and the selected audience. Clears the selection if the audience is deleted. */
function useSelection(
  channel: ChannelName,
  draft: Draft,
  change: (changes: Partial<Draft>) => void,
  onAudienceDeleted: () => void,
) {
  const { senders, failure } = useSenders(channel);
  const { selected: audience, isDeleted } = useAudiences(channel, '', draft.audience_id);
  // If there is only one sender, it is selected automatically.
  useEffect(() => {
    if (draft.sender_id === null && senders?.length === 1) change({ sender_id: senders[0]!.id });
  }, [draft.sender_id, senders, change]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each deleted audience
  useEffect(() => {
    if (!isDeleted) return;
    change({ audience_id: null });
    toast.warning('The selected audience was deleted. Select another audience.', { id: 'audience-gone' });
    onAudienceDeleted();
  }, [isDeleted]);
  return { senders, failure, audience };
}

/** The index of the recipient shown in the preview. It returns to the first recipient when the audience changes. */
function useRecipientIndex(audience_id: string | null) {
  const state = useState(0);
  const [, setIndex] = state;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the audience changes
  useEffect(() => setIndex(0), [audience_id]);
  return state;
}

function useSchedule(draft: Draft): { schedule: string | null; startTime: string | null } {
  const zone = useZone();
  const instant = isTimed(draft) ? fromLocal(localStart(draft, zone, new Date()), zone) : null;
  const schedule = instant ? toWire(instant) : null;
  return { schedule, startTime: schedule && formatDateTime(schedule, zone) };
}

function checkReview(draft: Draft, schedule: string | null, { preview }: PreviewState): StepProblem[] {
  const missing = draft.when === 'auto' ? missingPart(draft.trigger) : null;
  if (missing) return [{ key: 'trigger', text: missing, step: 'review' }];
  if (isTimed(draft) && schedule === null) return [{ key: 'when', text: 'Date and time is required!', step: 'review' }];
  if (preview && preview.blockers.length > 0)
    return [{ key: 'blockers', text: 'Fix the highlighted problems to send this campaign.', step: 'review' }];
  return [];
}

/** Fields of the open step show their problems themselves; for other steps there is a button. */
function toBlockers(
  problems: readonly StepProblem[],
  errors: StepErrors,
  active: number,
  goTo: (key: string) => void,
): Blocker[] {
  return errors.toBlockers(problems).map(({ key, text, field }, at) => {
    const { step } = problems[at]!;
    if (STEPS[active]?.key === step) return { key, text, ...(field ? { field } : {}) };
    return { key, text, fix: <GoToStep onClick={() => goTo(step)} /> };
  });
}

const GoToStep = ({ onClick }: { onClick: () => void }) => (
  <Button size="xs" variant="default" onClick={onClick}>
    Go to step
  </Button>
);

function SaveDraftButton({ active, busy, onClick }: { active: number; busy: boolean; onClick: () => void }) {
  return (
    <Button
      className={active === 2 ? styles.wideOnly : ''}
      size="xs"
      variant="subtle"
      loading={busy && active < 2}
      onClick={onClick}
    >
      Save as draft
    </Button>
  );
}

function waitReason(isStale: boolean, isCounting: boolean): string | null {
  if (isStale) return 'This draft was sent or discarded in another tab';
  return isCounting ? 'Counting recipients' : null;
}

/** "Send to 1,204 people for $18.06, 2 warnings" */
function sendLabel(draft: Draft, preview: PreviewState['preview'], startTime: string | null): string {
  const verb = draft.when === 'auto' ? 'Activate' : isTimed(draft) ? 'Schedule' : 'Send';
  const isApproved = !preview?.warnings.some(({ code }) => code === 'approval');
  if (!preview || preview.blockers.length > 0) return verb;
  if (draft.when === 'auto') return isApproved ? 'Activate automation' : 'Submit for approval';
  const people = formatCount(preview.counts.will_receive, 'person', 'people');
  const { total_micros, currency, lookups } = preview;
  const cost = total_micros === null ? null : total_micros + (lookups?.cost_micros ?? 0);
  const money = cost === null ? '' : ` for ${formatMoney(cost, currency)}`;
  if (!isApproved) return `Submit for approval: ${people}${money}`;
  const label = isTimed(draft) ? `Schedule for ${people}, ${startTime ?? ''}` : `Send to ${people}${money}`;
  return preview.warnings.length > 0 ? `${label}, ${formatCount(preview.warnings.length, 'warning')}` : label;
}
