/** Three steps to a campaign. Everything chosen is kept in the browser with every change; nothing is sent until the last button. */
import { Button } from '@mantine/core';
import { createCampaign, updateCampaign } from '@parley/contract/campaigns/campaigns.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useAction } from '../../kernel/http/query.ts';
import { useSession } from '../../kernel/session/session.tsx';
import { campaignPath, campaignsPath } from '../../paths.ts';
import { formatCount, formatDateTime, formatMoney } from '../../ui/data/format.ts';
import { useZone } from '../../ui/data/zone.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { type Blocker, Wizard } from '../../ui/layout/Wizard.tsx';
import { type Fault, faultsOf, messageFaults, nameFault, STEPS, setupFaults } from './checks.ts';
import { useAudiences, usePreview, useSample, useSenders } from './choices.ts';
import { type Draft, draftKey, emptyDraft, isEmpty } from './draft.ts';
import { fromLocal, toWire } from './local_time.ts';
import { MessageStep } from './MessageStep.tsx';
import { PhoneAside } from './PhoneAside.tsx';
import { ReviewStep } from './ReviewStep.tsx';
import { SetupStep } from './SetupStep.tsx';
import { useDraft } from './useDraft.ts';
import { localOf } from './WhenField.tsx';
import styles from './Wizard.module.css';

export interface CampaignWizardProps {
  channel: ChannelName;
  /** The campaign that is changed; null makes a new one. */
  id: string | null;
  /** Under which the draft is kept: `new`, or the campaign it is about. */
  about: string;
  initial?: Draft;
}

export function CampaignWizard({ channel, id, about, initial }: CampaignWizardProps) {
  const navigate = useNavigate();
  const zone = useZone();
  const { user } = useSession();
  const { draft, change, startOver, finish, restored, gone, keep } = useDraft(
    draftKey(user.id, channel, about),
    initial ?? emptyDraft(),
  );
  const [active, setActive] = useStep();
  const [index, setIndex] = useState(0);
  const { senders, failed } = useSenders(channel);
  const { chosen: audience, gone: audienceGone } = useAudiences(channel, '', draft.audience_id);
  const sample = useSample(draft, index);
  const instant = draft.when === 'later' ? fromLocal(localOf(draft, zone, new Date()), zone) : null;
  const schedule = instant ? toWire(instant) : null;
  const review = usePreview(channel, draft, schedule, active === 2);
  const create = useAction(createCampaign, { onError: () => {} });
  const update = useAction(updateCampaign, { onError: () => {} });

  // With one sender there is nothing to choose.
  useEffect(() => {
    if (draft.sender_id === null && senders?.length === 1) change({ sender_id: senders[0]!.id });
  }, [draft.sender_id, senders, change]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each audience that is gone
  useEffect(() => {
    if (!audienceGone) return;
    change({ audience_id: null });
    toast.warning('The audience you had chosen was deleted. Choose another one.', { id: 'audience-gone' });
    if (active > 0) setActive(0);
  }, [audienceGone]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another audience begins with its first person
  useEffect(() => setIndex(0), [draft.audience_id]);

  const goTo = (key: string) =>
    setActive(
      Math.max(
        0,
        STEPS.findIndex((step) => step.key === key),
      ),
    );
  const blockers = (faults: readonly Fault[]): Blocker[] =>
    faults.map(({ key, text, step }) => ({
      key,
      text,
      ...(STEPS[active]?.key === step
        ? {}
        : {
            fix: (
              <Button size="xs" variant="default" onClick={() => goTo(step)}>
                Go there
              </Button>
            ),
          }),
    }));

  const fields = () => ({
    ...(draft.name.trim() ? { name: draft.name.trim() } : {}),
    from: draft.sender_id,
    audience: draft.audience_id,
    text: draft.text,
    ...(draft.template_id ? { template: draft.template_id } : {}),
    validity_seconds: draft.validity_seconds,
    schedule,
  });
  const save = async (start: boolean): Promise<Fault[]> => {
    try {
      const status = !start ? 'in_complete' : draft.when === 'later' ? 'scheduled' : 'in_progress';
      const { data } = id
        ? await update.mutateAsync({ params: { id }, body: { ...fields(), status } })
        : await create.mutateAsync({ body: { ...fields(), channel, start } });
      finish();
      if (!start) toast.success('The draft was saved');
      await navigate({ href: start ? campaignPath(data) : campaignsPath(channel), replace: true });
      return [];
    } catch (error) {
      return faultsOf(error);
    }
  };
  const faultsHere = async (): Promise<Fault[]> => {
    if (active === 0) return [...(await nameFault(draft.name, id)), ...setupFaults(draft, senders)];
    if (active === 1) return messageFaults(draft);
    if (draft.when === 'later' && instant === null)
      return [{ key: 'when', text: 'Choose a date and a time.', step: 'review' }];
    const mending = review.preview?.blockers ?? [];
    if (mending.length > 0)
      return [{ key: 'blockers', text: 'Mend what is marked above, then it can be sent.', step: 'review' }];
    return save(true);
  };
  const next = async (): Promise<undefined | Blocker[]> => {
    const faults = await faultsHere();
    if (faults.length > 0) return blockers(faults);
    if (active < STEPS.length - 1) setActive(active + 1);
    return undefined;
  };
  const saveDraft = async () => {
    const faults = await save(false);
    for (const { text } of faults) toast.error(text);
  };

  const step = { channel, draft, change };
  const sender = senders?.find((one) => one.id === draft.sender_id);
  const empty = isEmpty(draft);
  return (
    <Wizard
      title={id ? 'Edit campaign' : `New ${channel} campaign`}
      steps={STEPS}
      active={active}
      onStep={setActive}
      onNext={next}
      onClose={() => void navigate({ href: campaignsPath(channel) })}
      lastLabel={lastLabel(draft, review.preview, schedule && formatDateTime(schedule, zone))}
      nextReason={
        gone ? 'It was sent or thrown away in another tab' : active === 2 && review.counting ? 'Still counting' : null
      }
      note={
        !empty &&
        !gone && (
          <Button
            className={active === 2 ? styles.wideOnly : ''}
            size="xs"
            variant="subtle"
            loading={(create.isPending || update.isPending) && active < 2}
            onClick={() => void saveDraft()}
          >
            Save as draft
          </Button>
        )
      }
      aside={
        active > 0 && (
          <PhoneAside
            channel={channel}
            sender={sender?.code ?? ''}
            text={draft.text}
            index={index}
            onStep={setIndex}
            {...sample}
          />
        )
      }
    >
      {gone && (
        <Notice
          className={styles.above}
          tone="wait"
          action={
            <>
              <Button size="xs" variant="default" onClick={startOver}>
                Start over
              </Button>
              <Button size="xs" variant="default" onClick={keep}>
                Go on as a new one
              </Button>
            </>
          }
        >
          This was sent or thrown away in another tab. Nothing more is sent from here until you choose.
        </Notice>
      )}
      {restored && !gone && active === 0 && (
        <Notice
          className={styles.above}
          tone="info"
          action={
            <Button size="xs" variant="default" onClick={startOver}>
              Start over
            </Button>
          }
        >
          This is what you began on this device and have not sent yet.
        </Notice>
      )}
      {active === 0 && <SetupStep {...step} senders={senders} failed={failed} />}
      {active === 1 && <MessageStep {...step} {...sample} />}
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

/** Which step is open stands in the address: a reload stays there, and going back goes one step back. */
function useStep(): [number, (step: number) => void] {
  const search = useSearch({ strict: false }) as { step?: string };
  const navigate = useNavigate();
  const active = Math.max(
    0,
    STEPS.findIndex(({ key }) => key === search.step),
  );
  const set = (step: number) =>
    void navigate({
      to: '.',
      search: ((old: Record<string, unknown>) => ({
        ...old,
        step: step === 0 ? undefined : STEPS[step]?.key,
      })) as never,
    });
  return [active, set];
}

/** "Send to 1,204 people for $18.06" */
function lastLabel(draft: Draft, preview: ReturnType<typeof usePreview>['preview'], at: string | null): string {
  const verb = draft.when === 'later' ? 'Schedule' : 'Send';
  if (!preview || preview.blockers.length > 0) return verb;
  const people = formatCount(preview.counts.will_receive, 'person', 'people');
  const money = formatMoney(preview.total_micros, preview.currency);
  return draft.when === 'later' ? `Schedule for ${people}, ${at ?? ''}` : `Send to ${people} for ${money}`;
}
