/** Sending a test: the request as it went, its story as it grows, and what stood in the way. */
import { createMessage, getMessage, type MessageDetail } from '@parley/contract/messages/messages.ts';
import { useState } from 'react';
import type { FieldFinding } from '../channels/field_errors.ts';
import { ApiError, type CallInput, call } from '../kernel/http/client.ts';
import { queryClient, useEndpoint } from '../kernel/http/query.ts';
import { randomId } from '../kernel/random.ts';
import { useReason } from '../kernel/session/session.tsx';
import { type Tested, useTested } from './tested.ts';

export type Request = CallInput<typeof createMessage>['body'];
type Problem = Omit<FieldFinding, 'field'> & { field: string | null };

export interface Test {
  tested: Tested;
  /** The very request, once one was taken. */
  request: Request | null;
  /** Of the first of its recipients, for whoever may see it. */
  story: MessageDetail | null;
  problems: readonly Problem[];
  /** What is known to be wrong before anything is asked; without an argument nothing is any more. */
  refuse: (problems?: readonly Problem[]) => void;
  sending: boolean;
  send: (request: Request) => Promise<void>;
}

export function useTest(phone: string): Test {
  const [request, setRequest] = useState<Request | null>(null);
  const [id, setId] = useState<string | null>(null);
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [sending, setSending] = useState(false);
  const missing = useReason(getMessage.needs);
  const told = useEndpoint(getMessage, { params: { id: id ?? '' } }, { enabled: id !== null && missing === null });
  const story = id === null ? undefined : told.data?.data;
  const tested = useTested(phone, story);
  const send = async (body: Request) => {
    setSending(true);
    setProblems([]);
    try {
      const { data } = await call(createMessage, { body }, { idempotency_key: randomId() });
      tested.add(data);
      setRequest(body);
      setId(data[0]?.id ?? null);
    } catch (error) {
      const said = error instanceof ApiError ? error.errors : [];
      setProblems(
        said.length > 0
          ? said.map(({ field, message }) => ({ field: field ?? null, message }))
          : [{ field: null, message: error instanceof Error ? error.message : 'The test could not be sent.' }],
      );
    } finally {
      setSending(false);
      void queryClient.invalidateQueries({ queryKey: ['try_it_now'] });
    }
  };
  return { tested, request, story: story ?? null, problems, refuse: (all = []) => setProblems(all), sending, send };
}
