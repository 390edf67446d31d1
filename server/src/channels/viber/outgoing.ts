/** A message as Viber takes it: the body of `send_message`. Pure. Its type follows from its purpose and its content. */
import type { Button } from '@parley/contract/messages/content.ts';
import type { Outgoing, OutgoingContent, OutgoingMedia } from '../channel.ts';
import type { VideoSize } from './video.ts';

/** Viber has no type for the message; the text says why. */
export class Unfit extends Error {}

type Body = Record<string, unknown>;

const TTL_SECONDS = { min: 30, max: 1_209_600 } as const;
const MAX_FILE_NAME = 25;
const MAX_CAPTION = 30;

/** `size`: of a video; null when it is unknown. */
export function bodyOf(message: Outgoing, size: VideoSize | null): Body {
  const { from, to, text, content, reference, valid_seconds } = message;
  if (!/^\d{1,15}$/.test(from)) throw new Unfit('The sender has no service id of Viber');
  const { message: shown, ...rest } = templateOf(content) ?? shapeOf(text, content, size);
  return {
    service_id: Number(from),
    dest: to,
    seq: reference,
    ...rest,
    label: PROMOTIONS.has(rest.type) ? 'promotion' : 'transaction',
    ttl: Math.min(TTL_SECONDS.max, Math.max(TTL_SECONDS.min, valid_seconds)),
    tag: String(reference),
    ...(shown ? { message: UNTRACKED.has(rest.type) ? shown : { ...shown, '#tracking_data': String(reference) } } : {}),
  };
}

/** The promotional types. Viber requires each message to name the purpose of its type. */
const PROMOTIONS: ReadonlySet<number> = new Set([207, 208, 209, 225, 230, 231, 233]);

/** Types that may not take tracking data: Viber refuses a message with a member too many. */
const UNTRACKED: ReadonlySet<number> = new Set([221]);

interface Shape extends Body {
  type: number;
  message?: Body;
}

/** A transactional message whose template the provider stores: only the values are sent. */
function templateOf(content: OutgoingContent | null): Shape | null {
  const { template, purpose, media } = content ?? {};
  if (purpose !== 'transactional' || media || !template?.external_id) return null;
  const { external_id, language, body_names = [], body_values } = template;
  return {
    type: 1702,
    templateId: external_id,
    templateLang: language.split('_')[0]!,
    templateParams: Object.fromEntries(body_names.map((name, at) => [name, body_values[at] ?? ''])),
  };
}

function shapeOf(text: string, content: OutgoingContent | null, size: VideoSize | null): Shape {
  const words = [content?.header, text, content?.footer].filter((line) => line).join('\n\n');
  const [button, another] = content?.buttons ?? [];
  if (another) throw new Unfit('A message on Viber has one button');
  if (button && button.type !== 'link') throw new Unfit('A button on Viber must open a link');
  const media = content?.media ?? null;
  const session = content?.purpose === 'session';
  if (!media) return textOf(words, button, session ? 306 : content?.purpose === 'transactional' ? 206 : 225);
  if (media.type === 'image') return imageOf(words, media, button, session ? 307 : 207);
  if (media.type === 'video') return videoOf(words, media, button, size);
  return fileOf(words, media, button, session ? 221 : 220);
}

const captioned = ({ text, value }: Button): Body => ({
  '#caption': [...text].slice(0, MAX_CAPTION).join(''),
  '#action': value,
});

function textOf(words: string, button: Button | undefined, type: number): Shape {
  if (words === '') throw new Unfit('A message without a file needs a text');
  if (!button) return { type, message: { '#txt': words } };
  return { type: 209, message: { '#txt': words, ...captioned(button) } };
}

function imageOf(words: string, { link }: OutgoingMedia, button: Button | undefined, type: number): Shape {
  if (words === '') {
    if (button) throw new Unfit('A picture with a button needs a text');
    return { type, message: { '#img': link, ...moving(link) } };
  }
  // Viber shows no button when both are empty.
  const shown = button ? captioned(button) : { '#caption': '', '#action': '' };
  return { type: 208, message: { '#txt': words, '#img': link, ...moving(link), ...shown } };
}

const moving = (link: string): Body => (/\.gif$/i.test(new URL(link).pathname) ? { '#imageFormat': 'gif' } : {});

/** Viber documents no rule for videos in a conversation, so they are sent like any other. */
function videoOf(words: string, media: OutgoingMedia, button: Button | undefined, size: VideoSize | null): Shape {
  const { link, picture } = media;
  if (!size || !picture)
    throw new Unfit('Viber wants to know how large and how long a video is, and this one does not say');
  const about = { file_size: size.bytes, duration: Math.max(1, Math.round(size.seconds)) };
  const video = { '#action': link, '#thumbnail': picture };
  if (words === '') {
    if (button) throw new Unfit('A video with a button needs a text');
    return { type: 230, ...about, message: video };
  }
  if (!button) return { type: 231, ...about, message: { '#txt': words, ...video } };
  const opened = { '#media': link, '#thumbnail': video['#thumbnail'], ...captioned(button) };
  return { type: 233, ...about, message: { '#txt': words, ...opened } };
}

function fileOf(words: string, { link, file_name }: OutgoingMedia, button: Button | undefined, type: number): Shape {
  if (button) throw new Unfit('A document on Viber cannot have buttons');
  if (words !== '') throw new Unfit('A document on Viber has no text');
  const extension = /\.([a-z0-9]{1,5})$/i.exec(file_name)?.[1]?.toLowerCase() ?? 'pdf';
  const stem = file_name.replace(/\.[a-z0-9]{1,5}$/i, '') || 'document';
  const kept = [...stem].slice(0, MAX_FILE_NAME - extension.length - 1).join('');
  return { type, file_type: extension, message: { '#action': link, '#fileName': `${kept}.${extension}` } };
}
