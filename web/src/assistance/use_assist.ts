/** Runs one request to the language model at a time, and shows its text while it arrives. */
import { ACTION_RULES, type AssistanceAction } from '@parley/contract/assistance/actions.ts';
import { createAssistance } from '@parley/contract/assistance/assistance.ts';
import { useEffect, useRef, useState } from 'react';
import { ApiError, callResponse } from '../kernel/http/client.ts';
import { readLines } from './lines.ts';

export interface Ask {
  action: AssistanceAction;
  language?: string;
}
export type Work = Ask & {
  state: 'running' | 'done' | 'failed';
  text: string;
  error: string | null;
  /** The text in the reply field before the result replaced it. */
  before: string | null;
  model: string | null;
};
type SetText = (next: (old: string) => string) => void;

const STOPPED = 'The response was cut off. Try again.';

interface Field {
  conversation_id: string;
  text: string;
  setText: SetText;
  onDone: () => void;
}

export function useAssist({ conversation_id, text, setText, onDone }: Field) {
  const [work, setWork] = useState<Work | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const cancel = () => {
    running.current?.abort();
    running.current = null;
    setWork(null);
    onDone();
  };
  const start = async (ask: Ask) => {
    running.current?.abort();
    const control = new AbortController();
    running.current = control;
    const change = (next: Partial<Work>) => {
      if (running.current === control) setWork((old) => old && { ...old, ...next });
    };
    setWork({ ...ask, state: 'running', text: '', error: null, before: null, model: null });
    const answer = await request(conversation_id, ask, text, control.signal, (arrived) => change({ text: arrived }));
    if (running.current !== control || answer === null) return;
    if (answer.error !== null) return change({ state: 'failed', error: answer.error });
    const { writes_draft } = ACTION_RULES[ask.action];
    let before: string | null = null;
    const result = answer.text.trim();
    if (writes_draft)
      setText((old) => {
        before = old;
        // Text that the user typed in the meantime stays.
        return old === text || old.trim() === '' ? result : `${old}\n${result}`;
      });
    change({ state: 'done', text: result, before, model: answer.model });
    if (writes_draft) onDone();
  };
  const undo = () => {
    const before = work?.before;
    if (before != null) setText(() => before);
    setWork(null);
    onDone();
  };
  return { work, start, cancel, undo };
}

interface Answer {
  text: string;
  model: string | null;
  error: string | null;
}

/** Returns null if the request was canceled. */
async function request(
  id: string,
  { action, language }: Ask,
  text: string,
  signal: AbortSignal,
  onText: (text: string) => void,
): Promise<Answer | null> {
  const answer: Answer = { text: '', model: null, error: STOPPED };
  const body = { action, text, ...(language ? { language: language as 'en' } : {}) };
  try {
    const response = await callResponse(createAssistance, { params: { id }, body }, { signal });
    await readLines(response, (line) => {
      if ('text' in line) {
        answer.text += line.text;
        onText(answer.text);
      } else if ('problem' in line) answer.error = line.problem.message;
      else {
        answer.model = line.model;
        answer.error = null;
      }
    });
    return answer;
  } catch (error) {
    if (signal.aborted) return null;
    return { ...answer, error: error instanceof ApiError ? error.message : STOPPED };
  }
}
