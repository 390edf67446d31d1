/** Buttons that add a template to a message, and buttons and files if the channel supports them. */
import { ActionIcon } from '@mantine/core';
import { channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { IconFile, IconHandClick, IconPhoto, IconTemplate, IconVideo } from '@tabler/icons-react';
import { Tooltip } from '../../ui/feedback/Tooltip.tsx';
import styles from './AttachTools.module.css';
import { ATTACHABLE, type Attachable } from './reply_body.ts';

export type Tool = Attachable | 'buttons' | 'template';

const ATTACH = {
  image: { label: 'Attach Image', icon: IconPhoto },
  video: { label: 'Attach Video', icon: IconVideo },
  document: { label: 'Attach Document', icon: IconFile },
} as const;

interface Props {
  channel: ChannelName;
  /** The label of the template button. */
  template?: string;
  /** The label of the button that adds buttons. */
  buttons?: string;
  hidesTemplates?: boolean;
  /** Why nothing can be sent; null when sending is possible. */
  reason: string | null;
  /** Why only templates can be sent; null when other messages can also be sent. */
  freeReason: string | null;
  onPress: (tool: Tool) => void;
}

export function AttachTools({
  channel,
  template = 'Reply from Template',
  buttons = 'Reply with Buttons',
  hidesTemplates = false,
  reason,
  freeReason,
  onPress,
}: Props) {
  return (
    <span className={styles.tools}>
      {!hidesTemplates && (
        <ToolButton label={template} icon={IconTemplate} reason={reason} onPress={() => onPress('template')} />
      )}
      {channelRules(channel).max_buttons > 0 && (
        <ToolButton
          label={buttons}
          icon={IconHandClick}
          reason={reason ?? freeReason}
          onPress={() => onPress('buttons')}
        />
      )}
      {ATTACHABLE.filter((type) => channelRules(channel).types.includes(type)).map((type) => (
        <ToolButton key={type} {...ATTACH[type]} reason={reason ?? freeReason} onPress={() => onPress(type)} />
      ))}
    </span>
  );
}

interface ToolProps {
  label: string;
  icon: typeof IconFile;
  reason: string | null;
  onPress: () => void;
}

/** Stays focusable while disabled, so that its tooltip shows the reason. */
function ToolButton({ label, icon: Icon, reason, onPress }: ToolProps) {
  return (
    <Tooltip label={reason ?? label}>
      <ActionIcon
        variant="subtle"
        aria-label={label}
        aria-disabled={reason !== null || undefined}
        data-disabled={reason !== null || undefined}
        onClick={() => reason === null && onPress()}
      >
        <Icon size={18} stroke={1.7} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
