/** Files that WhatsApp accepts. */
import { type MediaRule, rule } from '../../media/rules.ts';
import type { MediaType } from '../../media/types.ts';

export const media: Readonly<Record<MediaType, MediaRule>> = {
  image: rule('.jpg .jpeg .png', 5, 'WHATSAPP_IMAGE_INVALID'),
  video: rule('.mp4 .3gp .3gpp', 16, 'WHATSAPP_VIDEO_INVALID'),
  document: rule('.pdf', 100, 'WHATSAPP_DOCUMENT_INVALID'),
};
