/** A dialog that inserts a template's text into a message. A default export because it is loaded lazily. */
import { Modal } from '@mantine/core';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import type { Template } from '@parley/contract/templates/templates.ts';
import styles from './Dialogs.module.css';
import { TemplateChoices } from './TemplateChoices.tsx';

interface TemplatePickerProps {
  channel: ChannelName;
  /** The sender's code, for channels whose templates belong to a single sender. */
  sender?: string;
  onPick: (template: Template) => void;
  onClose: () => void;
}

export default function TemplatePicker({ channel, sender, onPick, onClose }: TemplatePickerProps) {
  return (
    <Modal opened onClose={onClose} title="Use a template" size={560}>
      <div className={styles.body}>
        <TemplateChoices channel={channel} {...(sender ? { sender } : {})} onChoose={onPick} />
      </div>
    </Modal>
  );
}
