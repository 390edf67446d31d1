/** Files that WhatsApp takes. */
import { type MediaRule, type MediaType, rule } from '../../media/rules.ts';

export const media: Readonly<Record<MediaType, MediaRule>> = {
  image: rule('.jpg .jpeg .png', 5, 1275),
  video: rule('.mp4 .3gp .3gpp', 16, 1276),
  document: rule('.pdf', 100, 1277),
};
