/**
 * What a file may be, by channel and type, and the words in which a wrong one is refused: one table for the server, which has the last word, and for
 * the web app, which says it before anything is sent. Pure; what is inside a file only the server looks at.
 */
import type { ChannelName } from '../common.ts';
import { type ProblemName, problemMessage } from '../problem.ts';

export const MEDIA_TYPES = ['image', 'video', 'document'] as const;
export type MediaType = (typeof MEDIA_TYPES)[number];

const MB = 1024 * 1024;
/** No file of any kind is larger. */
export const MAX_MEDIA_BYTES = 200 * MB;
/** In forms and messages. */
export const MAX_LINK_LENGTH = 1000;
/** Programs may give longer ones with a template. */
export const MAX_TEMPLATE_LINK = 2083;

export interface MediaRule {
  /** With the dot, lower case. */
  readonly extensions: readonly string[];
  readonly max_bytes: number;
  /** What a wrong size and a wrong extension are called. */
  readonly too_large: ProblemName;
  readonly wrong_extension: ProblemName;
}

const rule = (extensions: string, megabytes: number, code?: ProblemName): MediaRule => ({
  extensions: extensions.split(' '),
  max_bytes: megabytes * MB,
  too_large: code ?? 'FILE_TOO_LARGE',
  wrong_extension: code ?? 'FILE_EXTENSION_NOT_ALLOWED',
});

const ANYWHERE: Readonly<Record<MediaType, MediaRule>> = {
  image: rule('.jpg .jpeg .png', 200),
  video: rule('.mp4 .3gp .3gpp', 200),
  document: rule('.pdf', 200),
};
const BY_CHANNEL: Partial<Record<ChannelName, Readonly<Record<MediaType, MediaRule>>>> = {
  WHATSAPP: {
    image: rule('.jpg .jpeg .png', 5, 'WHATSAPP_IMAGE_INVALID'),
    video: rule('.mp4 .3gp .3gpp', 16, 'WHATSAPP_VIDEO_INVALID'),
    document: rule('.pdf', 100, 'WHATSAPP_DOCUMENT_INVALID'),
  },
  VIBER: {
    image: rule('.bmp .gif .jpg .jpeg .png .svg .webp', 24, 'VIBER_IMAGE_INVALID'),
    video: rule('.3gpp .m4v .mov .mp4', 200, 'VIBER_VIDEO_INVALID'),
    document: rule(
      '.txt .doc .docx .dot .dotx .rtf .odt .odf .fodt .info .pdf .xps .pdax .eps .xls .xlsx .xltx .xlsm .csv .ods .fods',
      200,
      'VIBER_DOCUMENT_INVALID',
    ),
  },
};

/** Without a channel: what every channel that carries media takes, up to the largest size of all. */
export const mediaRule = (type: MediaType, channel: ChannelName | null = null): MediaRule =>
  (channel && BY_CHANNEL[channel]?.[type]) || ANYWHERE[type];

/** `.jpg` of `Photo.JPG`; empty when there is none. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot < 0 ? '' : name.slice(dot).toLowerCase();
}

export interface MediaRefusal {
  code: ProblemName;
  message: string;
}

const listed = (extensions: readonly string[]): string =>
  extensions.length === 1
    ? extensions[0]!
    : `${extensions.slice(0, -1).join(', ')} or ${extensions[extensions.length - 1]}`;

export const extensionRefusal = (name: string, rule: MediaRule): MediaRefusal | null =>
  rule.extensions.includes(extensionOf(name))
    ? null
    : {
        code: rule.wrong_extension,
        message:
          rule.extensions.length === 1
            ? `File extension should be ${listed(rule.extensions)}`
            : `File extensions should be ${listed(rule.extensions)}`,
      };

export function sizeRefusal(bytes: number, rule: Pick<MediaRule, 'max_bytes' | 'too_large'>): MediaRefusal | null {
  if (bytes === 0) return { code: 'FILE_EMPTY', message: problemMessage('FILE_EMPTY') };
  if (bytes <= rule.max_bytes) return null;
  return { code: rule.too_large, message: `File size should not exceed ${Math.floor(rule.max_bytes / MB)} MB` };
}

export interface Dimensions {
  width: number;
  height: number;
}

export const dimensionRefusal = (found: Dimensions, wanted: Dimensions | null): MediaRefusal | null =>
  !wanted || (found.width === wanted.width && found.height === wanted.height)
    ? null
    : {
        code: 'IMAGE_DIMENSIONS_INVALID',
        message: `Image dimensions should be ${wanted.width} x ${wanted.height} pixels`,
      };

/** What can be said of a file before it is sent. */
export function fileRefusal(file: { name: string; size: number }, rule: MediaRule): MediaRefusal | null {
  return extensionRefusal(file.name, rule) ?? sizeRefusal(file.size, rule);
}

/** A link instead of a file. */
export function linkRefusal(
  url: string,
  type: MediaType,
  channel: ChannelName | null = null,
  most = MAX_LINK_LENGTH,
): MediaRefusal | null {
  const rule = mediaRule(type, channel);
  const text = url.trim();
  if (text === '') return { code: 'MEDIA_REQUIRED', message: 'URL is required!' };
  if (!text.startsWith('https')) return { code: 'MEDIA_LINK_INVALID', message: "URL should start with 'https'" };
  if (text.length > most) return { code: 'MEDIA_LINK_TOO_LONG', message: `URL can have at most ${most} characters` };
  const address = addressOf(text);
  if (!address) return { code: 'MEDIA_LINK_INVALID', message: 'URL is not valid' };
  return extensionRefusal(decoded(address.pathname), rule);
}

export interface Attachment {
  media_id?: string | null;
  url?: string | null;
}

/** For a whole message: every type but text carries a file or a link. */
export const attachmentRefusal = (type: MediaType | 'text', { media_id, url }: Attachment): MediaRefusal | null =>
  type === 'text' || media_id || url?.trim()
    ? null
    : { code: 'MEDIA_REQUIRED', message: 'A file attachment is required' };

export const FILE_REQUIRED = 'File is a required field';

function addressOf(text: string): URL | null {
  if (!/^https:\/\//i.test(text) || !URL.canParse(text)) return null;
  const address = new URL(text);
  return address.protocol === 'https:' && !address.username && !address.password ? address : null;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

// Characters that are no part of a name: control characters, and those that make one read other than it is written.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const UNREADABLE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/;

/** A file's own name: one segment of a path, readable as it is written. */
export const isFileName = (name: string): boolean =>
  name.length > 0 &&
  name.length <= 255 &&
  name.trim() === name &&
  name.isWellFormed() &&
  !UNREADABLE.test(name) &&
  !/[\\/]/.test(name) &&
  !/^\.+$/.test(name);
