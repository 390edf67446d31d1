/** Kinds of files that can be attached to a request. */
import { z } from 'zod';
import type { Dimensions } from '../media/rules.ts';
import { DOCUMENTS } from '../senders/countries.ts';

const logoLabel = (width: number, height: number) => `Logo ${width} x ${height}`;

/** Files that channels require, in addition to the documents that countries require. */
const CHANNEL_FILES = {
  warranty_letter: 'Warranty letter, signed and on company letterhead',
  industry_letter: 'License for gambling or credit',
  logo_640x640: logoLabel(640, 640),
  logo_360x280: logoLabel(360, 280),
  logo_256x256: logoLabel(256, 256),
  logo_130x130: logoLabel(130, 130),
  logo_100x100: logoLabel(100, 100),
  logo_65x65: logoLabel(65, 65),
  logo_50x50: logoLabel(50, 50),
} as const;
export const FILE_LABELS = { ...DOCUMENTS, ...CHANNEL_FILES } as const;
export type FileKind = keyof typeof FILE_LABELS;
export const fileKind = z.enum(Object.keys(FILE_LABELS) as [FileKind]);

export interface AccessFile {
  readonly kind: FileKind;
  readonly required: boolean;
  readonly extensions: readonly string[];
  /** The exact size of an image; null for documents. */
  readonly dimensions: Dimensions | null;
}
export const pdfFile = (kind: FileKind, required = false): AccessFile => ({
  kind,
  required,
  extensions: ['.pdf'],
  dimensions: null,
});
export const logoFile = (width: number, height: number): AccessFile => ({
  kind: `logo_${width}x${height}` as FileKind,
  required: true,
  extensions: ['.png'],
  dimensions: { width, height },
});
