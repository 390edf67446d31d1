/** Files that Viber accepts. */
import { type MediaRule, rule } from '../../media/rules.ts';
import type { MediaType } from '../../media/types.ts';

export const media: Readonly<Record<MediaType, MediaRule>> = {
  image: rule('.bmp .gif .jpg .jpeg .png .svg .webp', 24, 'VIBER_IMAGE_INVALID'),
  video: rule('.3gpp .m4v .mov .mp4', 200, 'VIBER_VIDEO_INVALID'),
  document: rule(
    '.txt .doc .docx .dot .dotx .rtf .odt .odf .fodt .info .pdf .xps .pdax .eps .xls .xlsx .xltx .xlsm .csv .ods .fods',
    200,
    'VIBER_DOCUMENT_INVALID',
  ),
};
