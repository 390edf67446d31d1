/** What can be done with a campaign now. A button is there only while it means something, and says how many it is about. */
import { ActionIcon, Button, Menu } from '@mantine/core';
import { type Campaign, createCampaign, retryCampaign, updateCampaign } from '@parley/contract/campaigns/campaigns.ts';
import {
  IconBan,
  IconClock,
  IconCopy,
  IconDots,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
  IconSend,
  IconTrash,
} from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAction } from '../../kernel/http/query.ts';
import { Allow } from '../../kernel/session/allow.tsx';
import { useReason } from '../../kernel/session/session.tsx';
import { campaignsPath, copyCampaignPath, editCampaignPath } from '../../paths.ts';
import { formatCount, formatNumber } from '../../ui/data/format.ts';
import { confirm } from '../../ui/feedback/Confirm.tsx';
import { Disabled } from '../../ui/feedback/Disabled.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { isEditable } from '../editable.ts';
import { RenameCampaign } from '../RenameCampaign.tsx';
import { removeReason, useRemoveCampaign } from '../remove.ts';
import { standingOf } from './progress.ts';

export function CampaignActions({ campaign }: { campaign: Campaign }) {
  const { id, status } = campaign;
  const { left } = standingOf(campaign);
  // The status beside the title tells what came of it; a note would only cover the next button.
  const change = useAction(updateCampaign, { invalidates: ['campaign_recipients'] });
  const retry = useAction(retryCampaign, {
    invalidates: ['campaigns', 'campaign_recipients'],
    onSuccess: ({ data }) => toast.success(`${formatCount(data.retried, 'message')} queued again`),
  });
  const ask = (to: 'in_progress' | 'paused' | 'canceled' | 'in_complete') =>
    change.mutate({ params: { id }, body: { status: to } });
  const asked = change.isPending ? change.variables.body?.status : null;
  const edits = updateCampaign.needs;

  const cancel = async () => {
    const yes = await confirm({
      title: `Cancel the campaign ${campaign.name}?`,
      consequence: left
        ? `${formatCount(left, 'person', 'people')} will not get it, and what is held for them is given back. Messages that have left are not affected. This cannot be undone.`
        : 'It will not be sent. This cannot be undone.',
      action: 'Cancel campaign',
      cancel: 'Keep it',
      danger: true,
    });
    if (yes) ask('canceled');
  };
  const again = async () => {
    const yes = await confirm({
      title: `Try ${formatCount(campaign.retryable, 'recipient')} again?`,
      consequence:
        'They failed for reasons that may have passed, and nothing was charged. The same messages go again, so nobody gets a second one; they are charged when a carrier takes them.',
      action: 'Try again',
    });
    if (yes) retry.mutate({ params: { id } });
  };
  const startNow = async () => {
    const yes = await confirm({
      title: `Send ${campaign.name} now?`,
      consequence: 'It goes to everybody in its audience at once instead of waiting for its time.',
      action: 'Send now',
    });
    if (yes) ask('in_progress');
  };

  return (
    <>
      {(status === 'in_progress' || status === 'paused' || status === 'scheduled' || status === 'error') && (
        <Allow needs={edits}>
          <Button
            variant="default"
            leftSection={<IconBan size={15} aria-hidden />}
            loading={asked === 'canceled'}
            onClick={() => void cancel()}
          >
            Cancel
          </Button>
        </Allow>
      )}
      {campaign.retryable > 0 && (status === 'completed' || status === 'failed' || status === 'in_progress') && (
        <Allow needs={retryCampaign.needs}>
          <Button
            variant="default"
            leftSection={<IconRefresh size={15} aria-hidden />}
            loading={retry.isPending}
            onClick={() => void again()}
          >
            Retry failed ({formatNumber(campaign.retryable)})
          </Button>
        </Allow>
      )}
      {status === 'in_progress' && left > 0 && (
        <Allow needs={edits}>
          <Button
            leftSection={<IconPlayerPause size={15} aria-hidden />}
            loading={asked === 'paused'}
            onClick={() => ask('paused')}
          >
            Pause
          </Button>
        </Allow>
      )}
      {(status === 'paused' || status === 'error') && (
        <Allow needs={edits}>
          <Button
            leftSection={<IconPlayerPlay size={15} aria-hidden />}
            loading={asked === 'in_progress'}
            onClick={() => ask('in_progress')}
          >
            {campaign.start_date ? `Resume (${formatNumber(left)})` : 'Send now'}
          </Button>
        </Allow>
      )}
      {status === 'scheduled' && (
        <Allow needs={edits}>
          <Button
            leftSection={<IconSend size={15} aria-hidden />}
            loading={asked === 'in_progress'}
            onClick={() => void startNow()}
          >
            Send now
          </Button>
        </Allow>
      )}
      {status === 'in_complete' && (
        <Allow needs={edits}>
          <Button component={Link} to={editCampaignPath(campaign)} leftSection={<IconPencil size={15} aria-hidden />}>
            Continue
          </Button>
        </Allow>
      )}
      <More campaign={campaign} onDraft={() => ask('in_complete')} />
    </>
  );
}

function More({ campaign, onDraft }: { campaign: Campaign; onDraft: () => void }) {
  const navigate = useNavigate();
  const [renaming, setRenaming] = useState(false);
  const edits = useReason(updateCampaign.needs);
  const adds = useReason(createCampaign.needs);
  const remove = useRemoveCampaign(() => void navigate({ href: campaignsPath(campaign.channel) }));
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label="More actions">
            <IconDots size={17} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {isEditable(campaign) && campaign.status !== 'in_complete' && (
            <Disabled reason={edits} position="left">
              <Menu.Item
                leftSection={<IconPencil size={15} aria-hidden />}
                onClick={() => void navigate({ href: editCampaignPath(campaign) })}
              >
                Edit
              </Menu.Item>
            </Disabled>
          )}
          {campaign.status === 'scheduled' && (
            <Disabled reason={edits} position="left">
              <Menu.Item leftSection={<IconClock size={15} aria-hidden />} onClick={onDraft}>
                Back to draft
              </Menu.Item>
            </Disabled>
          )}
          <Disabled reason={edits} position="left">
            <Menu.Item leftSection={<IconPencil size={15} aria-hidden />} onClick={() => setRenaming(true)}>
              Rename
            </Menu.Item>
          </Disabled>
          <Disabled reason={adds} position="left">
            <Menu.Item
              leftSection={<IconCopy size={15} aria-hidden />}
              onClick={() => void navigate({ href: copyCampaignPath(campaign) })}
            >
              Duplicate as draft
            </Menu.Item>
          </Disabled>
          <Disabled reason={remove.reason ?? removeReason(campaign)} position="left">
            <Menu.Item
              color="red"
              leftSection={<IconTrash size={15} aria-hidden />}
              onClick={() => void remove.ask(campaign)}
            >
              Delete
            </Menu.Item>
          </Disabled>
        </Menu.Dropdown>
      </Menu>
      <RenameCampaign campaign={renaming ? campaign : null} onClose={() => setRenaming(false)} />
    </>
  );
}
