/** Files that the user pastes into the reply or drops on it. */
import { channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { type ClipboardEvent, type DragEvent, type ReactNode, Suspense, useState } from 'react';
import type { ReplyBody } from '../../channels/compose/reply_body.ts';
import { lazyPart } from '../../ui/feedback/lazy_part.ts';

const FilesDialog = lazyPart(() => import('./FilesDialog.tsx'));

interface FileEvents {
  onPaste: (event: ClipboardEvent) => void;
  onDragOver: (event: DragEvent) => void;
  onDrop: (event: DragEvent) => void;
}

/** Channels without files paste only text. `blocked` is the reason why nothing can be sent. */
export function useFiles(
  channel: ChannelName,
  blocked: string | null,
  /** Sends the files immediately, or asks the user first. */
  guard: (send: () => void) => void,
  onSend: (body: ReplyBody) => void,
): { events: FileEvents; dialog: ReactNode } {
  const [files, setFiles] = useState<File[]>([]);
  const accepts = blocked === null && channelRules(channel).types.some((type) => type !== 'text');
  const take = (event: ClipboardEvent | DragEvent, given: FileList) => {
    if (!accepts || given.length === 0) return;
    event.preventDefault();
    setFiles([...given]);
  };
  return {
    events: {
      onPaste: (event) => take(event, event.clipboardData.files),
      onDragOver: (event) => {
        if (accepts && event.dataTransfer.types.includes('Files')) event.preventDefault();
      },
      onDrop: (event) => take(event, event.dataTransfer.files),
    },
    dialog: files.length > 0 && (
      <Suspense>
        <FilesDialog
          channel={channel}
          files={files}
          onSend={(bodies) =>
            guard(() => {
              for (const body of bodies) onSend(body);
            })
          }
          onClose={() => setFiles([])}
        />
      </Suspense>
    ),
  };
}
