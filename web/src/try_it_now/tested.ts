/** What was sent and what came back since the page was opened, patched by events: an answer is there the moment it is given. */
import type { ChannelName } from '@parley/contract/common.ts';
import { type Message, messageCreated, messageStatusChanged, RANK } from '@parley/contract/messages.ts';
import { useCallback, useEffect, useState } from 'react';
import { onLive } from '../kernel/live.ts';

export interface Tested {
  /** With the phone that is looked at, oldest first. */
  messages: Message[];
  add: (sent: readonly Message[]) => void;
}

export function withTested(known: readonly Message[], message: Message): Message[] {
  const old = known.find(({ id }) => id === message.id);
  if (!old) return [...known, message].sort((a, b) => (a.id < b.id ? -1 : 1));
  if (RANK[message.status] <= RANK[old.status]) return known as Message[];
  return known.map((one) => (one.id === message.id ? message : one));
}

export function useTested(channel: ChannelName, phone: string): Tested {
  const [all, setAll] = useState<Message[]>([]);
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
  const add = useCallback(
    (sent: readonly Message[]) => setAll((known) => sent.reduce<Message[]>(withTested, known)),
    [],
  );
  const digits = phone.replace(/\D/g, '');
  const messages = all.filter(
    (message) => message.channel === channel && (message.direction === 'MO' ? message.from : message.to) === digits,
  );
  return { messages, add };
}
