/** What was sent and what came back since the page was opened, patched by events: an answer is there the moment it is given. */
import type { ChannelName } from '@parley/contract/channels/names.ts';
import {
  type Message,
  type MessageDetail,
  type MessageFallbackStep,
  messageCreated,
  messageStatusChanged,
  RANK,
} from '@parley/contract/messages/messages.ts';
import { useCallback, useEffect, useState } from 'react';
import { onLive } from '../kernel/live/live.ts';

export interface Tested {
  /** With the phone that is looked at, as that channel's app shows it, oldest first. */
  on: (channel: ChannelName) => Message[];
  add: (sent: readonly Message[]) => void;
}

/** A message that goes another way is on another channel from then on: what was shown on the one before stays there. */
export function withTested(known: readonly Message[], message: Message): Message[] {
  const isSame = ({ id, channel }: Message) => id === message.id && channel === message.channel;
  const old = known.find(isSame);
  if (!old) return [...known, message].sort((a, b) => (a.id === b.id ? 0 : a.id < b.id ? -1 : 1));
  if (RANK[message.status] <= RANK[old.status]) return known as Message[];
  return known.map((one) => (isSame(one) ? message : one));
}

/** Each way with how far it came by itself, and none that never left. */
export function byWay(
  messages: readonly Message[],
  legs: ReadonlyMap<string, readonly MessageFallbackStep[]>,
): Message[] {
  return messages.flatMap((message) => {
    const leg = legs.get(message.id)?.find(({ channel }) => channel === message.channel);
    if (!leg) return [message];
    return leg.status === null ? [] : [{ ...message, status: leg.status }];
  });
}

export function useTested(phone: string, looked: Pick<MessageDetail, 'id' | 'fallbacks'> | undefined): Tested {
  const [all, setAll] = useState<Message[]>([]);
  const [legs, setLegs] = useState<ReadonlyMap<string, readonly MessageFallbackStep[]>>(new Map());
  const [began] = useState(() => new Date().toISOString().slice(0, 19).replace('T', ' '));
  useEffect(() => {
    const take = (message: Message) => setAll((known) => withTested(known, message));
    const offs = [
      onLive(messageStatusChanged, (message) => {
        if (message.source === 'test') take(message);
      }),
      onLive(messageCreated, (message) => {
        if (message.direction === 'MO' && message.create_date >= began) take(message);
      }),
    ];
    return () => {
      for (const off of offs) off();
    };
  }, [began]);
  useEffect(() => {
    if (looked) setLegs((known) => new Map(known).set(looked.id, looked.fallbacks));
  }, [looked]);
  const add = useCallback(
    (sent: readonly Message[]) => setAll((known) => sent.reduce<Message[]>(withTested, known)),
    [],
  );
  const digits = phone.replace(/\D/g, '');
  const on = (channel: ChannelName) =>
    byWay(all, legs).filter(
      (message) => message.channel === channel && (message.direction === 'MO' ? message.from : message.to) === digits,
    );
  return { on, add };
}
