import { ActionIcon, Menu } from '@mantine/core';
import { type Audience, updateAudience } from '@parley/contract/audiences/audiences.ts';
import { IconDots, IconHistory, IconPencil, IconTrash } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { Allow } from '../../kernel/session/allow.tsx';
import { IMPORTS, linkToAddress, renameAudiencePath } from '../../paths.ts';
import { Disabled } from '../../ui/feedback/Disabled.tsx';
import { useRemoveAudience } from './remove.ts';

/** The less common actions for an audience. */
export function AudienceMenu({ audience, leave }: { audience: Audience; leave: () => Promise<void> }) {
  const remove = useRemoveAudience(leave);
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={`More actions for ${audience.name}`}>
          <IconDots size={17} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconHistory size={15} stroke={1.8} aria-hidden />}
          component={Link}
          {...linkToAddress(`${IMPORTS}?audience_id=${audience.id}`)}
        >
          Imports
        </Menu.Item>
        <Allow needs={updateAudience.needs}>
          <Menu.Item
            leftSection={<IconPencil size={15} stroke={1.8} aria-hidden />}
            component={Link}
            to={renameAudiencePath(audience.id)}
          >
            Rename
          </Menu.Item>
        </Allow>
        <Disabled reason={remove.reason} position="left">
          <Menu.Item
            color="red"
            leftSection={<IconTrash size={15} stroke={1.8} aria-hidden />}
            onClick={() => void remove.confirmRemove(audience)}
          >
            Delete
          </Menu.Item>
        </Disabled>
      </Menu.Dropdown>
    </Menu>
  );
}
