/** The message of a campaign in the wizard, on channels with files, buttons, and templates. */
import type { Campaign } from '@parley/contract/campaigns/campaigns.ts';
import type { Button, MessageType } from '@parley/contract/messages/content.ts';
import { type AttachmentValue, NO_ATTACHMENT } from '../../../media/attachment.ts';

type Purpose = NonNullable<Campaign['purpose']>;

export interface ContentDraft {
  source: 'template' | 'own';
  type: MessageType;
  attachment: AttachmentValue;
  /** The name of a document, as recipients see it. */
  file_name: string;
  /** Empty if the message has no buttons. */
  buttons: Button[];
  purpose: Purpose | null;
  /** The value of each placeholder of the template; see `readMapping`. */
  variables: string[];
}

export const emptyContent = (): ContentDraft => ({
  source: 'own',
  type: 'text',
  attachment: NO_ATTACHMENT,
  file_name: '',
  buttons: [],
  purpose: null,
  variables: [],
});

export function toContent(campaign: Campaign): ContentDraft {
  const { type, media_id, url, file_name, buttons, purpose, variables, template_id } = campaign;
  const unloaded = { bytes: null, width: null, height: null, get_url: null, thumbnail_url: null };
  const media =
    media_id && type !== 'text' ? { id: media_id, type, file_name: file_name ?? 'File', ...unloaded } : null;
  return {
    source: template_id === null ? 'own' : 'template',
    ...{ type, file_name: file_name ?? '', buttons, purpose, variables },
    attachment: { source: url ? 'link' : 'file', media, url: url ?? '' },
  };
}
