/** The actions available in the campaign's current status. Buttons show how many recipients they affect. */
import { Button } from '@mantine/core';
import { type Campaign, retryCampaign } from '@parley/contract/campaigns/campaigns.ts';
import { updateCampaign } from '@parley/contract/campaigns/drafts.ts';
import type { Needs } from '@parley/contract/permission.ts';
import {
  IconBan,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  type IconProps,
  IconRefresh,
  IconSend,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ComponentType, ReactNode } from 'react';
import { useRecordActions } from '../../kernel/commands.ts';
import { useAction } from '../../kernel/http/query.ts';
import { Allow } from '../../kernel/session/allow.tsx';
import { useReason } from '../../kernel/session/session.tsx';
import { campaignPath, editCampaignPath } from '../../paths.ts';
import { formatCount, formatNumber } from '../../ui/data/format.ts';
import { confirm } from '../../ui/feedback/Confirm.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { hasRuns, isDraft, isWaitingForApproval, seriesNoun } from '../stage.ts';
import { CampaignMenu } from './CampaignMenu.tsx';
import { campaignTotals } from './progress.ts';

const END_LABELS = { series: 'End series', automation: 'End automation' } as const;
const CANCELABLE: readonly Campaign['status'][] = ['in_progress', 'paused', 'scheduled', 'error'];
const RETRYABLE: readonly Campaign['status'][] = ['completed', 'failed', 'in_progress'];

export function CampaignActions({ campaign }: { campaign: Campaign }) {
  const { status, retryable } = campaign;
  const isSeries = hasRuns(campaign);
  const { left } = campaignTotals(campaign);
  const waits = isWaitingForApproval(campaign);
  const actions = useCampaignActions(campaign);
  const { cancel, retry, startNow, changeStatus, pending } = actions;
  useCampaignCommands(campaign, actions);
  return (
    <>
      {CANCELABLE.includes(status) && (
        <ActionButton icon={IconBan} secondary busy={pending === 'canceled'} onClick={() => void cancel()}>
          {isSeries ? END_LABELS[seriesNoun(campaign)] : 'Cancel'}
        </ActionButton>
      )}
      {retryable > 0 && RETRYABLE.includes(status) && (
        <ActionButton
          icon={IconRefresh}
          needs={retryCampaign.needs}
          secondary
          busy={pending === 'retry'}
          onClick={() => void retry()}
        >
          Retry undelivered ({formatNumber(retryable)})
        </ActionButton>
      )}
      {status === 'in_progress' && left > 0 && (
        <ActionButton icon={IconPlayerPause} busy={pending === 'paused'} onClick={() => changeStatus('paused')}>
          Pause
        </ActionButton>
      )}
      {(status === 'paused' || status === 'error') && !waits && (
        <ActionButton
          icon={IconPlayerPlay}
          busy={pending === 'in_progress'}
          onClick={() => changeStatus('in_progress')}
        >
          {isSeries ? 'Resume' : campaign.start_date ? `Resume (${formatNumber(left)})` : 'Send now'}
        </ActionButton>
      )}
      {status === 'scheduled' && isSeries && (
        <ActionButton icon={IconPlayerPause} busy={pending === 'paused'} onClick={() => changeStatus('paused')}>
          Pause
        </ActionButton>
      )}
      {status === 'scheduled' && !isSeries && (
        <ActionButton icon={IconSend} busy={pending === 'in_progress'} onClick={() => void startNow()}>
          Send now
        </ActionButton>
      )}
      {waits && (
        <ActionButton
          icon={IconBan}
          secondary
          busy={pending === 'in_complete'}
          onClick={() => changeStatus('in_complete')}
        >
          Withdraw request
        </ActionButton>
      )}
      {isDraft(campaign) && (
        <Allow needs={updateCampaign.needs}>
          <Button component={Link} to={editCampaignPath(campaign)} leftSection={<IconPencil size={15} aria-hidden />}>
            Continue
          </Button>
        </Allow>
      )}
      <CampaignMenu campaign={campaign} onDraft={() => changeStatus('in_complete')} />
    </>
  );
}

type Actions = ReturnType<typeof useCampaignActions>;

/** The same actions in the command palette. */
function useCampaignCommands(campaign: Campaign, { cancel, retry, startNow, changeStatus }: Actions): void {
  const { status, retryable } = campaign;
  const isSeries = hasRuns(campaign);
  const { left } = campaignTotals(campaign);
  const editReason = useReason(updateCampaign.needs);
  const retryReason = useReason(retryCampaign.needs);
  const canSend = (status === 'paused' || status === 'error') && !isWaitingForApproval(campaign);
  const when = (applies: boolean, reason = editReason) => (applies ? reason : 'Not available in this status.');
  useRecordActions({ kind: 'campaign', id: campaign.id, title: campaign.name, path: campaignPath(campaign) }, [
    {
      label: 'Pause',
      keywords: 'stop hold',
      reason: when((status === 'in_progress' && left > 0) || (status === 'scheduled' && isSeries)),
      run: () => changeStatus('paused'),
    },
    {
      label: campaign.start_date || isSeries ? 'Resume' : 'Send now',
      keywords: 'continue start',
      reason: when(canSend),
      run: () => changeStatus('in_progress'),
    },
    {
      label: 'Send now',
      keywords: 'start',
      reason: when(status === 'scheduled' && !isSeries),
      run: () => void startNow(),
    },
    {
      label: 'Retry undelivered messages',
      keywords: 'again resend',
      reason: when(retryable > 0 && RETRYABLE.includes(status), retryReason),
      run: () => void retry(),
    },
    {
      label: 'Cancel campaign',
      keywords: 'stop end',
      reason: when(CANCELABLE.includes(status)),
      run: () => void cancel(),
    },
  ]);
}

interface ActionButtonProps {
  icon: ComponentType<IconProps>;
  needs?: Needs;
  secondary?: boolean;
  busy: boolean;
  onClick: () => void;
  children: ReactNode;
}

function ActionButton(props: ActionButtonProps) {
  const { icon: Icon, needs = updateCampaign.needs, secondary = false, busy, onClick, children } = props;
  return (
    <Allow needs={needs}>
      <Button
        variant={secondary ? 'default' : 'filled'}
        leftSection={<Icon size={15} aria-hidden />}
        loading={busy}
        onClick={onClick}
      >
        {children}
      </Button>
    </Allow>
  );
}

type NextStatus = 'in_progress' | 'paused' | 'canceled' | 'in_complete';

function useCampaignActions(campaign: Campaign) {
  const { id, name, retryable } = campaign;
  const { left } = campaignTotals(campaign);
  // No toast: the status beside the title shows the result, and a toast would cover the next button.
  const update = useAction(updateCampaign, { invalidates: ['campaign_recipients'] });
  const resend = useAction(retryCampaign, {
    invalidates: ['campaigns', 'campaign_recipients'],
    onSuccess: ({ data }) => toast.success(`${formatCount(data.retried, 'message')} queued for retry`),
  });
  const changeStatus = (status: NextStatus) => update.mutate({ params: { id }, body: { status } });

  const endSeries = async () => {
    const confirmed = await confirm({
      title: `End the ${seriesNoun(campaign)} ${name}?`,
      consequence: 'No more runs will start. Runs that have started are not affected. This cannot be undone.',
      action: END_LABELS[seriesNoun(campaign)],
      cancel: `Keep ${seriesNoun(campaign)}`,
      danger: true,
    });
    if (confirmed) changeStatus('canceled');
  };
  const cancel = async () => {
    if (hasRuns(campaign)) return void endSeries();
    const people = formatCount(left, 'person', 'people');
    const confirmed = await confirm({
      title: `Cancel the campaign ${name}?`,
      consequence: left
        ? `${people} will not receive it, and the amount reserved for them will be released. ` +
          'Messages already sent are not affected. This cannot be undone.'
        : 'It will not be sent. This cannot be undone.',
      action: 'Cancel campaign',
      cancel: 'Keep campaign',
      danger: true,
    });
    if (confirmed) changeStatus('canceled');
  };
  const retry = async () => {
    const confirmed = await confirm({
      title: `Retry ${formatCount(retryable, 'undelivered message')}?`,
      consequence:
        'These messages failed for reasons that may be temporary, and you were not charged for them. They will be ' +
        'sent again, and no recipient will get the message twice. You will be charged when a carrier accepts them.',
      action: 'Retry messages',
    });
    if (confirmed) resend.mutate({ params: { id } });
  };
  const startNow = async () => {
    const confirmed = await confirm({
      title: `Send ${name} now?`,
      consequence: 'It will be sent to the whole audience immediately instead of at the scheduled time.',
      action: 'Send now',
    });
    if (confirmed) changeStatus('in_progress');
  };
  const pending = resend.isPending ? 'retry' : update.isPending ? update.variables.body?.status : null;
  return { cancel, retry, startNow, changeStatus, pending };
}
