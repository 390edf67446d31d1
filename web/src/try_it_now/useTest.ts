/** Sends a test and tracks its message: the request, the message with its timeline, and the problems. */
import { getMessage, type MessageDetail } from '@parley/contract/messages/details.ts';
import { createMessage } from '@parley/contract/messages/messages.ts';
import { useState } from 'react';
import type { FieldFinding } from '../channels/field_errors.ts';
import { ApiError, type CallInput, call } from '../kernel/http/client.ts';
import { queryClient, useEndpoint } from '../kernel/http/query.ts';
import { randomId } from '../kernel/random.ts';
import { useReason } from '../kernel/session/session.tsx';
import { type TestMessages, useTestMessages } from './test_messages.ts';

type TestRequest = CallInput<typeof createMessage>['body'];
type Problem = Omit<FieldFinding, 'field'> & { field: string | null };

interface Test {
  messages: TestMessages;
  /** The last request that was accepted. */
  request: TestRequest | null;
  /** The message to the first recipient, if the user may view messages. */
  message: MessageDetail | null;
  problems: readonly Problem[];
  /** Replaces the problems. Called with the problems found before a request, or with none. */
  setProblems: (problems: readonly Problem[]) => void;
  sending: boolean;
  send: (request: TestRequest) => Promise<void>;
}

export function useTest(phone: string): Test {
  const [request, setRequest] = useState<TestRequest | null>(null);
  const [id, setId] = useState<string | null>(null);
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [sending, setSending] = useState(false);
  const reason = useReason(getMessage.needs);
  const query = useEndpoint(getMessage, { params: { id: id ?? '' } }, { enabled: id !== null && reason === null });
  const message = id === null ? undefined : query.data?.data;
  const messages = useTestMessages(phone, message);
  const send = async (body: TestRequest) => {
    setSending(true);
    setProblems([]);
    try {
      const { data } = await call(createMessage, { body }, { idempotency_key: randomId() });
      messages.add(data);
      setRequest(body);
      setId(data[0]?.id ?? null);
    } catch (error) {
      setProblems(toProblems(error));
    } finally {
      setSending(false);
      void queryClient.invalidateQueries({ queryKey: ['try_it_now'] });
    }
  };
  return { messages, request, message: message ?? null, problems, setProblems, sending, send };
}

function toProblems(error: unknown): Problem[] {
  const errors = error instanceof ApiError ? error.errors : [];
  if (errors.length > 0) return errors.map(({ field, message }) => ({ field: field ?? null, message }));
  return [{ field: null, message: error instanceof Error ? error.message : 'The test could not be sent.' }];
}
