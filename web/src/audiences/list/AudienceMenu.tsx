import { ActionIcon } from '@mantine/core';
import { type Audience, createContact, updateAudience } from '@parley/contract/audiences/audiences.ts';
import { IconDots, IconForms, IconHistory, IconPencil, IconTrash } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useRecordActions } from '../../kernel/commands.ts';
import { Allow } from '../../kernel/session/allow.tsx';
import { useReason } from '../../kernel/session/session.tsx';
import {
  addContactPath,
  audiencePath,
  editConditionsPath,
  IMPORTS,
  importIntoPath,
  linkToAddress,
  OPT_IN_FORMS,
  renameAudiencePath,
} from '../../paths.ts';
import { Disabled } from '../../ui/feedback/Disabled.tsx';
import { ActionItem, ActionMenu } from '../../ui/layout/ActionMenu.tsx';
import { useRemoveAudience } from './remove.ts';

/** The less common actions for an audience. */
export function AudienceMenu({ audience, leave }: { audience: Audience; leave: () => Promise<void> }) {
  const remove = useRemoveAudience(leave);
  const navigate = useNavigate();
  const editReason = useReason(updateAudience.needs);
  const addReason = useReason(createContact.needs);
  const { id, name } = audience;
  const openPage = (href: string) => () => void navigate({ href });
  useRecordActions({ kind: 'audience', id, title: name, path: audiencePath(id) }, [
    ...(audience.conditions
      ? [{ label: 'Edit conditions', keywords: 'filter', reason: editReason, run: openPage(editConditionsPath(id)) }]
      : [
          { label: 'Add contact', keywords: 'person number', reason: addReason, run: openPage(addContactPath(id)) },
          {
            label: 'Import a file',
            keywords: 'upload csv excel',
            reason: addReason,
            run: openPage(importIntoPath(id)),
          },
        ]),
    { label: 'Rename', keywords: 'name', reason: editReason, run: openPage(renameAudiencePath(id)) },
    { label: 'Imports', keywords: 'history', run: openPage(`${IMPORTS}?audience_id=${id}`) },
    { label: 'Delete', keywords: 'remove', reason: remove.reason, run: () => void remove.confirmRemove(audience) },
  ]);
  return (
    <ActionMenu
      target={(props) => (
        <ActionIcon {...props} variant="default" size={36} aria-label={`More actions for ${audience.name}`}>
          <IconDots size={17} aria-hidden />
        </ActionIcon>
      )}
    >
      <ActionItem
        icon={<IconHistory size={15} stroke={1.8} aria-hidden />}
        link={linkToAddress(`${IMPORTS}?audience_id=${audience.id}`)}
      >
        Imports
      </ActionItem>
      {!audience.conditions && (
        <ActionItem
          icon={<IconForms size={15} stroke={1.8} aria-hidden />}
          link={linkToAddress(`${OPT_IN_FORMS}?audience_id=${audience.id}`)}
        >
          Opt-in forms
        </ActionItem>
      )}
      <Allow needs={updateAudience.needs}>
        <ActionItem
          icon={<IconPencil size={15} stroke={1.8} aria-hidden />}
          link={{ to: renameAudiencePath(audience.id) }}
        >
          Rename
        </ActionItem>
      </Allow>
      <Disabled reason={remove.reason} position="left">
        <ActionItem
          danger
          icon={<IconTrash size={15} stroke={1.8} aria-hidden />}
          onClick={() => void remove.confirmRemove(audience)}
        >
          Delete
        </ActionItem>
      </Disabled>
    </ActionMenu>
  );
}
