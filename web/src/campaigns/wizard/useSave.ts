import { createCampaign, updateCampaign } from '@parley/contract/campaigns/drafts.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { useNavigate } from '@tanstack/react-router';
import { useAction } from '../../kernel/http/query.ts';
import { campaignPath, campaignsPath } from '../../paths.ts';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { type StepProblem, toStepProblems } from './checks.ts';
import { audienceRequest, contentRequest, sessionRequest } from './content/content.ts';
import { fallbackRequest } from './content/fallbacks.ts';
import { type Draft, startsOneByOne, timingRequest, triggerRequest } from './draft.ts';
import { testRequest } from './variants.ts';

export interface SaveOptions {
  channel: ChannelName;
  /** The campaign to update; null creates one. */
  id: string | null;
  draft: Draft;
  /** In UTC, as the API expects. */
  schedule: string | null;
  onSaved: () => void;
}

export interface SaveState {
  /** Sends or schedules the campaign, or saves it as a draft, and leaves the wizard. Returns the problems, if any. */
  save: (start: boolean) => Promise<StepProblem[]>;
  isSaving: boolean;
}

export function useSave({ channel, id, draft, schedule, onSaved }: SaveOptions): SaveState {
  const navigate = useNavigate();
  const create = useAction(createCampaign, { onError: () => {} });
  const update = useAction(updateCampaign, { onError: () => {} });
  const save = async (start: boolean): Promise<StepProblem[]> => {
    try {
      const fields = toFields(channel, draft, schedule);
      const status = !start ? 'in_complete' : draft.when !== 'now' ? 'scheduled' : 'in_progress';
      const { data } = id
        ? await update.mutateAsync({ params: { id }, body: { ...fields, status } })
        : await create.mutateAsync({ body: { ...fields, channel, start } });
      onSaved();
      if (!start) toast.success('Draft saved');
      await navigate({ href: start ? campaignPath(data) : campaignsPath(channel), replace: true });
      return [];
    } catch (error) {
      return toStepProblems(error);
    }
  };
  return { save, isSaving: create.isPending || update.isPending };
}

const toFields = (channel: ChannelName, draft: Draft, schedule: string | null) => ({
  ...(draft.name.trim() ? { name: draft.name.trim() } : {}),
  from: draft.sender_id,
  ...audienceRequest(draft),
  ...contentRequest(channel, draft),
  ...sessionRequest(channel, draft),
  fallbacks: fallbackRequest(channel, draft),
  countries: draft.countries.length > 0 ? draft.countries : null,
  validity_seconds: draft.validity_seconds,
  schedule,
  timing: timingRequest(draft),
  repeat: draft.when === 'repeat' ? draft.repeat : null,
  trigger: triggerRequest(draft),
  safety: startsOneByOne(draft) ? { ...draft.safety, canary: null, lookup: false } : draft.safety,
  test: testRequest(channel, draft),
});
