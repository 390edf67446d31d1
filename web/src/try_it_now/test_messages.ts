/** Test messages and replies sent since the page was opened, kept current by live events. */
import type { ChannelName } from '@parley/contract/channels/names.ts';
import type { MessageDetail, MessageFallbackStep } from '@parley/contract/messages/details.ts';
import { type Message, messageCreated, messageStatusChanged } from '@parley/contract/messages/messages.ts';
import { isNewer } from '@parley/contract/messages/sequences.ts';
import { useCallback, useEffect, useState } from 'react';
import { onLive } from '../kernel/live/live.ts';

export interface TestMessages {
  /** The messages exchanged with the phone on a channel, oldest first. */
  on: (channel: ChannelName) => Message[];
  add: (messages: readonly Message[]) => void;
}

/**
 * Adds a message, or updates its status if the new one may follow it. When a fallback moves a message to another
 * channel, the message also stays on the earlier channel.
 */
export function withMessage(messages: readonly Message[], message: Message): Message[] {
  const isSame = ({ id, channel }: Message) => id === message.id && channel === message.channel;
  const existing = messages.find(isSame);
  if (!existing) return [...messages, message].sort((a, b) => (a.id === b.id ? 0 : a.id < b.id ? -1 : 1));
  if (!isNewer(existing, message)) return messages as Message[];
  return messages.map((other) => (isSame(other) ? message : other));
}

/** Assigns each message the status of its fallback step and drops steps that were never sent. */
export function withStepStatuses(
  messages: readonly Message[],
  steps: ReadonlyMap<string, readonly MessageFallbackStep[]>,
): Message[] {
  return messages.flatMap((message) => {
    const step = steps.get(message.id)?.find(({ channel }) => channel === message.channel);
    if (!step) return [message];
    return step.status === null ? [] : [{ ...message, status: step.status }];
  });
}

export function useTestMessages(
  phone: string,
  message: Pick<MessageDetail, 'id' | 'fallbacks'> | undefined,
): TestMessages {
  const [messages, setMessages] = useState<Message[]>([]);
  const [steps, setSteps] = useState<ReadonlyMap<string, readonly MessageFallbackStep[]>>(new Map());
  const [start] = useState(() => new Date().toISOString().slice(0, 19).replace('T', ' '));
  useEffect(() => {
    const put = (live: Message) => setMessages((before) => withMessage(before, live));
    const subscriptions = [
      onLive(messageStatusChanged, (live) => {
        if (live.source === 'test') put(live);
      }),
      onLive(messageCreated, (live) => {
        if (live.direction === 'MO' && live.create_date >= start) put(live);
      }),
    ];
    return () => {
      for (const unsubscribe of subscriptions) unsubscribe();
    };
  }, [start]);
  useEffect(() => {
    if (message) setSteps((before) => new Map(before).set(message.id, message.fallbacks));
  }, [message]);
  const add = useCallback(
    (sent: readonly Message[]) => setMessages((before) => sent.reduce<Message[]>(withMessage, before)),
    [],
  );
  const digits = phone.replace(/\D/g, '');
  const on = (channel: ChannelName) =>
    withStepStatuses(messages, steps).filter(
      ({ direction, from, to, ...other }) => other.channel === channel && (direction === 'MO' ? from : to) === digits,
    );
  return { on, add };
}
