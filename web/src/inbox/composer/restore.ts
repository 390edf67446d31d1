/** Returns the text of an undone reply to the reply field of its conversation, which may open later. */
import { useEffect } from 'react';

const fields = new Map<string, (text: string) => void>();
const waiting = new Map<string, string>();

export function restoreReply(conversation_id: string, text: string): void {
  const restore = fields.get(conversation_id);
  if (restore) restore(text);
  else waiting.set(conversation_id, text);
}

/** `restore` must keep its identity. */
export function useRestored(conversation_id: string, restore: (text: string) => void): void {
  useEffect(() => {
    fields.set(conversation_id, restore);
    const text = waiting.get(conversation_id);
    if (text !== undefined) restore(text);
    waiting.delete(conversation_id);
    return () => {
      if (fields.get(conversation_id) === restore) fields.delete(conversation_id);
    };
  }, [conversation_id, restore]);
}
