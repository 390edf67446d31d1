/**
 * Callback bodies and their signature. Each body is JSON with 64-bit tokens as bare numbers, signed over its exact
 * bytes.
 */
import { createHmac } from 'node:crypto';
import type { Chat, Step } from '../world/chat.ts';
import { bareNumber, toSessionId } from './numbers.ts';
import { messageStatus } from './plan.ts';

/** Reports that the phone blocked or unblocked the service. */
export interface Notice {
  event: 'subscribed' | 'unsubscribed';
  token: string;
  service_id: number;
  phone: string;
  time: number;
}

const statuses: Partial<Record<Step['status'], number>> = {
  delivered: messageStatus.delivered,
  read: messageStatus.seen,
  failed: messageStatus.expired,
};

/**
 * The format follows a published emulator of the API: phone numbers are strings of digits, and times are in
 * milliseconds.
 */
export function statusBody(chat: Chat, n: number): string {
  const step = chat.steps[n]!;
  return JSON.stringify({
    message_token: bareNumber(chat.id),
    message_status: statuses[step.status],
    message_time: step.due,
    phone_number: chat.phone,
    service_id: Number(chat.business_id),
  });
}

/**
 * The names for the token, the number, the text, and the tracking data are published. The other names are our choice
 * and follow the public bot API.
 */
export function messageBody(chat: Chat, origin: string): string {
  const { content, extra } = chat;
  const { media } = content;
  const type = content.kind === 'image' ? 'picture' : content.kind === 'document' ? 'file' : content.kind;
  return JSON.stringify({
    message_token: bareNumber(chat.id),
    phone_number: chat.phone,
    message_time: chat.time,
    service_id: Number(chat.business_id),
    session_id: bareNumber(toSessionId(Number(extra?.session))),
    message: {
      type: media ? type : 'text',
      text: content.text ?? content.caption,
      media: media && `${origin}/viber/media/${chat.id}/${encodeURIComponent(mediaFileName(chat))}`,
      file_name: type === 'file' ? mediaFileName(chat) : undefined,
      size: media && type !== 'picture' ? media.size : undefined,
      tracking_data: chat.reference ?? undefined,
    },
  });
}

/** Our choice: the events from the public bot API, with the phone number instead of a user ID. */
export const noticeBody = ({ event, token, service_id, phone, time }: Notice): string =>
  JSON.stringify({ event, message_token: bareNumber(token), phone_number: phone, message_time: time, service_id });

export const sign = (auth_token: string, body: string): string =>
  createHmac('sha256', auth_token).update(body).digest('hex');

/** Returns a file name with an extension, so that a client can read the type from the URL. */
function mediaFileName({ content: { kind, media } }: Chat): string {
  const extension = /^[a-z]+\/([a-z0-9]+)/.exec(media?.mime ?? '')?.[1]?.replace('jpeg', 'jpg') ?? 'bin';
  return media?.file_name || `${kind === 'image' ? 'picture' : kind}.${extension}`;
}
