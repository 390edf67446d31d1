/**
 * The button of the composer that lets the language model suggest, rewrite, translate, or summarize, and the panel with
 * the result. Shown only if the account has turned assistance on. A default export, because it loads on its own.
 */
import { ActionIcon } from '@mantine/core';
import { createAssistance, getAssistanceSettings } from '@parley/contract/assistance/assistance.ts';
import { IconSparkles } from '@tabler/icons-react';
import { createPortal } from 'react-dom';
import { useEndpoint } from '../kernel/http/query.ts';
import { useReason } from '../kernel/session/session.tsx';
import { useShortcuts } from '../kernel/shortcuts.ts';
import { Tooltip } from '../ui/feedback/Tooltip.tsx';
import { Popup } from '../ui/layout/Popup.tsx';
import styles from './Assistance.module.css';
import { AssistMenu } from './AssistMenu.tsx';
import { AssistPanel } from './AssistPanel.tsx';
import { useAssist } from './use_assist.ts';

interface Props {
  conversation_id: string;
  text: string;
  setText: (next: (old: string) => string) => void;
  /** Why no reply can be written; null when it is possible. */
  reason: string | null;
  /** The element in which the panel appears. */
  panel: HTMLElement | null;
  /** Called when the user can continue to write. */
  onDone: () => void;
}

export default function AssistTool(props: Props) {
  const missing = useReason(createAssistance.needs);
  const settings = useEndpoint(getAssistanceSettings, {}, { enabled: missing === null }).data?.data;
  return missing === null && settings?.available && settings.enabled ? <Assistance {...props} /> : null;
}

function Assistance({ conversation_id, text, setText, reason, panel, onDone }: Props) {
  const { work, start, cancel, undo } = useAssist({ conversation_id, text, setText, onDone });
  useShortcuts('Conversation', [
    {
      keys: 'mod+J',
      label: 'Assistance',
      run: () => document.querySelector<HTMLElement>('[data-assistance]')?.click(),
    },
  ]);
  // A result that the user has changed or sent is theirs.
  const isShown = work !== null && (work.before === null || text === work.text || text.endsWith(`\n${work.text}`));
  return (
    <>
      <Popup
        label="Assistance"
        align="start"
        takesFocus
        className={styles.menu}
        target={(target) => (
          <Tooltip label="Assistance">
            <ActionIcon {...target} variant="subtle" aria-label="Assistance" data-assistance>
              <IconSparkles size={18} stroke={1.7} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )}
      >
        {(close) => (
          <AssistMenu
            isEmpty={text.trim() === ''}
            reason={reason}
            onChoose={(ask) => {
              close();
              void start(ask);
            }}
          />
        )}
      </Popup>
      {isShown &&
        panel &&
        createPortal(
          <AssistPanel
            work={work}
            conversation_id={conversation_id}
            onCancel={cancel}
            onUndo={undo}
            onRetry={() => void start(work)}
          />,
          panel,
        )}
    </>
  );
}
