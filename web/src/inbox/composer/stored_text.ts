import { useEffect, useState } from 'react';
import { useSession } from '../../kernel/session/session.tsx';

/** The text of a reply or note, which this tab stores per conversation until it is sent. */
export function useStoredText(kind: 'reply' | 'note', conversation_id: string) {
  const key = `parley.${kind}.${useSession().user.id}.${conversation_id}`;
  const state = useState(() => sessionStorage.getItem(key) ?? '');
  const [text] = state;
  useEffect(() => {
    if (text) sessionStorage.setItem(key, text);
    else sessionStorage.removeItem(key);
  }, [key, text]);
  return state;
}
