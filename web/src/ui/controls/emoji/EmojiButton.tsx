import { ActionIcon } from '@mantine/core';
import { IconMoodSmile } from '@tabler/icons-react';
import { Suspense } from 'react';
import { lazyPart } from '../../feedback/lazy_part.ts';
import { Skeleton } from '../../feedback/Skeletons.tsx';
import { Tooltip } from '../../feedback/Tooltip.tsx';
import { Popup } from '../../layout/Popup.tsx';

const EmojiPicker = lazyPart(() => import('./EmojiPicker.tsx'));

interface Props {
  /** Why nothing can be inserted. */
  reason?: string | null;
  disabled?: boolean;
  onPick: (emoji: string) => void;
}

/** The button that opens the emoji picker. */
export function EmojiButton({ reason = null, disabled = false, onPick }: Props) {
  return (
    <Popup
      label="Emoji"
      align="start"
      takesFocus
      target={(target) => (
        <Tooltip label={reason ?? 'Insert emoji'}>
          <ActionIcon
            {...target}
            variant="subtle"
            aria-label="Insert emoji"
            disabled={disabled}
            aria-disabled={reason !== null || undefined}
            data-disabled={reason !== null || undefined}
            onClick={() => reason === null && target.onClick()}
          >
            <IconMoodSmile size={18} stroke={1.7} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
    >
      {(close) => (
        <Suspense fallback={<Skeleton height={320} width={304} />}>
          <EmojiPicker
            onPick={(emoji) => {
              close();
              onPick(emoji);
            }}
          />
        </Suspense>
      )}
    </Popup>
  );
}
