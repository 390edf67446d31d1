/**
 * Builds the body of `send_message`. The Viber message type follows from the purpose and the message's content.
 */
import type { Button } from '@parley/contract/messages/content.ts';
import type { Outgoing } from '../channel.ts';
import type { OutgoingContent, OutgoingMedia } from '../outgoing_content.ts';
import type { VideoSize } from './video.ts';

/** The message matches no Viber type. The error text states why. */
export class Unfit extends Error {}

type Body = Record<string, unknown>;

const TTL_SECONDS = { min: 30, max: 1_209_600 } as const;
const MAX_FILE_NAME = 25;
const MAX_CAPTION = 30;

/** `size` describes a video. It is null if the size is unknown. */
export function buildBody(message: Outgoing, size: VideoSize | null): Body {
  const { from, to, text, content, reference, valid_seconds } = message;
  if (!/^\d{1,15}$/.test(from)) throw new Unfit('The sender has no Viber service ID');
  const { message: fields, ...rest } = buildTemplate(content) ?? buildShape(text, content, size);
  return {
    service_id: Number(from),
    dest: to,
    seq: reference,
    ...rest,
    label: PROMOTIONS.has(rest.type) ? 'promotion' : 'transaction',
    ttl: Math.min(TTL_SECONDS.max, Math.max(TTL_SECONDS.min, valid_seconds)),
    tag: String(reference),
    ...(fields
      ? { message: UNTRACKED.has(rest.type) ? fields : { ...fields, '#tracking_data': String(reference) } }
      : {}),
  };
}

/** The promotional types. Viber requires each message to name the purpose of its type. */
const PROMOTIONS: ReadonlySet<number> = new Set([207, 208, 209, 225, 230, 231, 233]);

/** Types without tracking data: Viber refuses a message with an unexpected member. */
const UNTRACKED: ReadonlySet<number> = new Set([221]);

interface Shape extends Body {
  type: number;
  message?: Body;
}

/** A transactional message from a template stored at the provider: only the values are sent. */
function buildTemplate(content: OutgoingContent | null): Shape | null {
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

function buildShape(text: string, content: OutgoingContent | null, size: VideoSize | null): Shape {
  const full_text = [content?.header, text, content?.footer].filter((line) => line).join('\n\n');
  const [button, second] = content?.buttons ?? [];
  if (second) throw new Unfit('A message on Viber can have only one button');
  if (button && button.type !== 'link') throw new Unfit('A button on Viber must open a link');
  const media = content?.media ?? null;
  const session = content?.purpose === 'session';
  if (!media) return buildText(full_text, button, session ? 306 : content?.purpose === 'transactional' ? 206 : 225);
  if (media.type === 'image') return buildImage(full_text, media, button, session ? 307 : 207);
  if (media.type === 'video') return buildVideo(full_text, media, button, size);
  return buildFile(full_text, media, button, session ? 221 : 220);
}

const toCaption = ({ text, value }: Button): Body => ({
  '#caption': [...text].slice(0, MAX_CAPTION).join(''),
  '#action': value,
});

function buildText(full_text: string, button: Button | undefined, type: number): Shape {
  if (full_text === '') throw new Unfit('A message without a file needs text');
  if (!button) return { type, message: { '#txt': full_text } };
  return { type: 209, message: { '#txt': full_text, ...toCaption(button) } };
}

function buildImage(full_text: string, { link }: OutgoingMedia, button: Button | undefined, type: number): Shape {
  if (full_text === '') {
    if (button) throw new Unfit('An image with a button needs text');
    return { type, message: { '#img': link, ...gifFormat(link) } };
  }
  // Viber shows no button if both are empty.
  const fields = button ? toCaption(button) : { '#caption': '', '#action': '' };
  return { type: 208, message: { '#txt': full_text, '#img': link, ...gifFormat(link), ...fields } };
}

const gifFormat = (link: string): Body => (/\.gif$/i.test(new URL(link).pathname) ? { '#imageFormat': 'gif' } : {});

/** Viber documents no rule for videos during a session, so they are sent like any other message. */
function buildVideo(
  full_text: string,
  media: OutgoingMedia,
  button: Button | undefined,
  size: VideoSize | null,
): Shape {
  const { link, picture } = media;
  if (!size || !picture)
    throw new Unfit('Viber requires the size and duration of a video, but this file does not contain them');
  const about = { file_size: size.bytes, duration: Math.max(1, Math.round(size.seconds)) };
  const video = { '#action': link, '#thumbnail': picture };
  if (full_text === '') {
    if (button) throw new Unfit('A video with a button needs text');
    return { type: 230, ...about, message: video };
  }
  if (!button) return { type: 231, ...about, message: { '#txt': full_text, ...video } };
  const opened = { '#media': link, '#thumbnail': video['#thumbnail'], ...toCaption(button) };
  return { type: 233, ...about, message: { '#txt': full_text, ...opened } };
}

function buildFile(
  full_text: string,
  { link, file_name }: OutgoingMedia,
  button: Button | undefined,
  type: number,
): Shape {
  if (button) throw new Unfit('A document on Viber cannot have buttons');
  if (full_text !== '') throw new Unfit('A Viber message with a document cannot have text');
  const extension = /\.([a-z0-9]{1,5})$/i.exec(file_name)?.[1]?.toLowerCase() ?? 'pdf';
  const stem = file_name.replace(/\.[a-z0-9]{1,5}$/i, '') || 'document';
  const shortened = [...stem].slice(0, MAX_FILE_NAME - extension.length - 1).join('');
  return { type, file_type: extension, message: { '#action': link, '#fileName': `${shortened}.${extension}` } };
}
