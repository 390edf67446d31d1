/**
 * Rules for files, shared by the server and the web app, which checks files before it uploads them. All functions are
 * pure. Only the server inspects the content of a file.
 */
import { type ProblemName, problemMessage } from '../problem.ts';
import { textLength } from '../text_length.ts';
import type { MediaType } from './types.ts';

const MB = 1024 * 1024;
/** The maximum size of any file. */
export const MAX_MEDIA_BYTES = 200 * MB;
/** The maximum length of a link in forms and messages. */
export const MAX_LINK_LENGTH = 1000;
/** API clients can use longer links in templates. */
export const MAX_TEMPLATE_LINK = 2083;

export interface MediaRule {
  /** In lower case, with the dot. */
  readonly extensions: readonly string[];
  readonly max_bytes: number;
  /** The problems for a wrong size and a wrong extension. */
  readonly too_large: ProblemName;
  readonly wrong_extension: ProblemName;
}

export const rule = (extensions: string, megabytes: number, code?: ProblemName): MediaRule => ({
  extensions: extensions.split(' '),
  max_bytes: megabytes * MB,
  too_large: code ?? 'FILE_TOO_LARGE',
  wrong_extension: code ?? 'FILE_EXTENSION_NOT_ALLOWED',
});

/** Files that every channel with media accepts, up to the overall maximum size. */
export const ANY_MEDIA: Readonly<Record<MediaType, MediaRule>> = {
  image: rule('.jpg .jpeg .png', 200),
  video: rule('.mp4 .3gp .3gpp', 200),
  document: rule('.pdf', 200),
};
/** The extension in lower case: `.jpg` for `Photo.JPG`, empty if there is none. */
export function fileExtension(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot < 0 ? '' : name.slice(dot).toLowerCase();
}

export interface MediaRefusal {
  code: ProblemName;
  message: string;
}

const joinWithOr = (extensions: readonly string[]): string =>
  new Intl.ListFormat('en-US', { type: 'disjunction' }).format(extensions);

export const extensionRefusal = (name: string, rule: MediaRule): MediaRefusal | null =>
  rule.extensions.includes(fileExtension(name))
    ? null
    : {
        code: rule.wrong_extension,
        message:
          rule.extensions.length === 1
            ? `File extension should be ${joinWithOr(rule.extensions)}`
            : `File extensions should be ${joinWithOr(rule.extensions)}`,
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

export const dimensionRefusal = (actual: Dimensions, required: Dimensions | null): MediaRefusal | null =>
  !required || (actual.width === required.width && actual.height === required.height)
    ? null
    : {
        code: 'IMAGE_DIMENSIONS_INVALID',
        message: `Image dimensions should be ${required.width} x ${required.height} pixels`,
      };

/** Checks a file before it is uploaded. */
export function fileRefusal(file: { name: string; size: number }, rule: MediaRule): MediaRefusal | null {
  return extensionRefusal(file.name, rule) ?? sizeRefusal(file.size, rule);
}

/** Checks a link that is used instead of a file. */
export function linkRefusal(url: string, rule: MediaRule, max = MAX_LINK_LENGTH): MediaRefusal | null {
  const text = url.trim();
  if (text === '') return { code: 'MEDIA_REQUIRED', message: 'URL is required!' };
  if (!text.startsWith('https')) return { code: 'MEDIA_LINK_INVALID', message: "URL should start with 'https'" };
  if (textLength(text) > max) return { code: 'MEDIA_LINK_TOO_LONG', message: `URL can have at most ${max} characters` };
  const address = parseHttpsUrl(text);
  if (!address) return { code: 'MEDIA_LINK_INVALID', message: 'URL is not valid' };
  return extensionRefusal(decoded(address.pathname), rule);
}

export interface Attachment {
  media_id?: string | null;
  url?: string | null;
}

/** Every type of message except text needs a file or a link. */
export const attachmentRefusal = (type: MediaType | 'text', { media_id, url }: Attachment): MediaRefusal | null =>
  type === 'text' || media_id || url?.trim()
    ? null
    : { code: 'MEDIA_REQUIRED', message: 'A file attachment is required' };

export const FILE_REQUIRED = 'File is a required field';

function parseHttpsUrl(text: string): URL | null {
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

// Characters not allowed in a name: control characters, and those that change the reading direction.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the control characters are the ones to find
const UNREADABLE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/;

/** Whether a name is a plain file name: one segment of a path, with visible characters only. */
export const isFileName = (name: string): boolean =>
  name.length > 0 &&
  textLength(name) <= 255 &&
  name.trim() === name &&
  name.isWellFormed() &&
  !UNREADABLE.test(name) &&
  !/[\\/]/.test(name) &&
  !/^\.+$/.test(name);
