// What is told to a service and how it is signed. Every body is JSON with bare 64-bit tokens, signed over its exact bytes.
import { createHmac } from 'node:crypto';
import type { Chat, Step } from '../chat.ts';
import { messageStatus } from './fate.ts';
import { bare, sessionIdOf } from './numbers.ts';

/** The phone blocked the service, or lets it in again. */
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

/** As an emulator others have published tells it; phone numbers are digits in a string, times milliseconds. */
export function statusBody(chat: Chat, n: number): string {
  const step = chat.steps[n]!;
  return JSON.stringify({
    message_token: bare(chat.id),
    message_status: statuses[step.status],
    message_time: step.due,
    phone_number: chat.phone,
    service_id: Number(chat.business_id),
  });
}

/** Published are the token, the number, the text and the tracking data; the rest is chosen, by the names of the public bot API. */
export function messageBody(chat: Chat, origin: string): string {
  const { content, extra } = chat;
  const { media } = content;
  const type = content.kind === 'image' ? 'picture' : content.kind === 'document' ? 'file' : content.kind;
  return JSON.stringify({
    message_token: bare(chat.id),
    phone_number: chat.phone,
    message_time: chat.time,
    service_id: Number(chat.business_id),
    session_id: bare(sessionIdOf(Number(extra?.session))),
    message: {
      type: media ? type : 'text',
      text: content.text ?? content.caption,
      media: media && `${origin}/viber/media/${chat.id}/${encodeURIComponent(fileNameOf(chat))}`,
      file_name: type === 'file' ? fileNameOf(chat) : undefined,
      size: media && type !== 'picture' ? media.size : undefined,
      tracking_data: chat.reference ?? undefined,
    },
  });
}

/** Chosen: the events of the public bot API, told by phone number. */
export const noticeBody = ({ event, token, service_id, phone, time }: Notice): string =>
  JSON.stringify({ event, message_token: bare(token), phone_number: phone, message_time: time, service_id });

export const signatureOf = (auth_token: string, body: string): string =>
  createHmac('sha256', auth_token).update(body).digest('hex');

/** A name with an extension, for whoever looks at the address to learn what it is. */
export function fileNameOf({ content: { kind, media } }: Chat): string {
  const extension = /^[a-z]+\/([a-z0-9]+)/.exec(media?.mime ?? '')?.[1]?.replace('jpeg', 'jpg') ?? 'bin';
  return media?.file_name || `${kind === 'image' ? 'picture' : kind}.${extension}`;
}
