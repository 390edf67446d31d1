import { ActionIcon } from '@mantine/core';
import type { Campaign } from '@parley/contract/campaigns/campaigns.ts';
import { createCampaign, updateCampaign } from '@parley/contract/campaigns/drafts.ts';
import { IconArchive, IconClock, IconCopy, IconDots, IconPencil, IconTag, IconTrash } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useRecordActions } from '../../kernel/commands.ts';
import { useReason } from '../../kernel/session/session.tsx';
import { campaignPath, campaignsPath, copyCampaignPath, editCampaignPath } from '../../paths.ts';
import { Disabled } from '../../ui/feedback/Disabled.tsx';
import { lazyPart } from '../../ui/feedback/lazy_part.ts';
import { ActionItem, ActionMenu } from '../../ui/layout/ActionMenu.tsx';
import { isArchivable, useArchive } from '../archive.ts';
import { isEditable } from '../editable.ts';
import { removeReason, useRemoveCampaign } from '../remove.ts';

const RenameCampaign = lazyPart(() => import('../RenameCampaign.tsx'));
const Organize = lazyPart(() => import('../Organize.tsx'));

/** The less common actions for a campaign. */
export function CampaignMenu({ campaign, onDraft }: { campaign: Campaign; onDraft: () => void }) {
  const navigate = useNavigate();
  const [renaming, setRenaming] = useState(false);
  const [organizing, setOrganizing] = useState(false);
  const editReason = useReason(updateCampaign.needs);
  const addReason = useReason(createCampaign.needs);
  const remove = useRemoveCampaign(() => void navigate({ href: campaignsPath(campaign.channel) }));
  const edit = () => void navigate({ href: editCampaignPath(campaign) });
  const copy = () => void navigate({ href: copyCampaignPath(campaign) });
  useRecordActions({ kind: 'campaign', id: campaign.id, title: campaign.name, path: campaignPath(campaign) }, [
    { label: 'Edit', reason: isEditable(campaign) ? editReason : 'Not available in this status.', run: edit },
    { label: 'Rename', keywords: 'name', reason: editReason, run: () => setRenaming(true) },
    { label: 'Tags and note', keywords: 'label comment', reason: editReason, run: () => setOrganizing(true) },
    { label: 'Duplicate as draft', keywords: 'copy', reason: addReason, run: copy },
    {
      label: 'Delete',
      keywords: 'remove',
      reason: remove.reason ?? removeReason(campaign),
      run: () => void remove.confirmRemove(campaign),
    },
  ]);
  return (
    <>
      <ActionMenu
        target={(props) => (
          <ActionIcon {...props} variant="default" size={36} aria-label="More actions">
            <IconDots size={17} aria-hidden />
          </ActionIcon>
        )}
      >
        {isEditable(campaign) && campaign.status !== 'in_complete' && (
          <Disabled reason={editReason} position="left">
            <ActionItem icon={<IconPencil size={15} aria-hidden />} onClick={edit}>
              Edit
            </ActionItem>
          </Disabled>
        )}
        {campaign.status === 'scheduled' && (
          <Disabled reason={editReason} position="left">
            <ActionItem icon={<IconClock size={15} aria-hidden />} onClick={onDraft}>
              Move back to draft
            </ActionItem>
          </Disabled>
        )}
        <Disabled reason={editReason} position="left">
          <ActionItem icon={<IconPencil size={15} aria-hidden />} onClick={() => setRenaming(true)}>
            Rename
          </ActionItem>
        </Disabled>
        <LabelItems campaign={campaign} reason={editReason} onOrganize={() => setOrganizing(true)} />
        <Disabled reason={addReason} position="left">
          <ActionItem icon={<IconCopy size={15} aria-hidden />} onClick={copy}>
            Duplicate as draft
          </ActionItem>
        </Disabled>
        <Disabled reason={remove.reason ?? removeReason(campaign)} position="left">
          <ActionItem
            danger
            icon={<IconTrash size={15} aria-hidden />}
            onClick={() => void remove.confirmRemove(campaign)}
          >
            Delete
          </ActionItem>
        </Disabled>
      </ActionMenu>
      {organizing && (
        <Suspense>
          <Organize campaign={campaign} onClose={() => setOrganizing(false)} />
        </Suspense>
      )}
      {renaming && (
        <Suspense>
          <RenameCampaign campaign={campaign} onClose={() => setRenaming(false)} />
        </Suspense>
      )}
    </>
  );
}

interface LabelItemsProps {
  campaign: Campaign;
  reason: string | null;
  onOrganize: () => void;
}

function LabelItems({ campaign, reason, onOrganize }: LabelItemsProps) {
  const archive = useArchive();
  return (
    <>
      <Disabled reason={reason} position="left">
        <ActionItem icon={<IconTag size={15} aria-hidden />} onClick={onOrganize}>
          Tags and note
        </ActionItem>
      </Disabled>
      {isArchivable(campaign) && (
        <Disabled reason={reason} position="left">
          <ActionItem icon={<IconArchive size={15} aria-hidden />} onClick={() => archive(campaign)}>
            {campaign.archive_date ? 'Unarchive' : 'Archive'}
          </ActionItem>
        </Disabled>
      )}
    </>
  );
}
