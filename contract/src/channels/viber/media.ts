/** Files that Viber takes. */
import { type MediaRule, type MediaType, rule } from '../../media/rules.ts';

export const media: Readonly<Record<MediaType, MediaRule>> = {
  image: rule('.bmp .gif .jpg .jpeg .png .svg .webp', 24, 1278),
  video: rule('.3gpp .m4v .mov .mp4', 200, 1279),
  document: rule(
    '.txt .doc .docx .dot .dotx .rtf .odt .odf .fodt .info .pdf .xps .pdax .eps .xls .xlsx .xltx .xlsm .csv .ods .fods',
    200,
    1280,
  ),
};
