import { CloseButton } from '@mantine/core';
import { type ReactNode, useCallback } from 'react';
import type { ReplyBody } from '../../channels/compose/reply_body.ts';
import styles from './QuoteLine.module.css';
import { type Quote, quoteText, useQuote } from './quote.ts';

/** The message that the reply quotes. */
function QuoteLine({ quote, onRemove }: { quote: Quote; onRemove: () => void }) {
  return (
    <p className={styles.quote}>
      <span dir="auto">Reply to: {quoteText(quote)}</span>
      <CloseButton size="sm" aria-label="Remove the quote" onClick={onRemove} />
    </p>
  );
}

type Send = (body: ReplyBody, schedule?: Date) => void;

/** The next message that is sent quotes the message, whatever its content is. */
export function useQuoting(conversation_id: string, onSend: Send): { line: ReactNode; onSend: Send } {
  const [quote, setQuote] = useQuote(conversation_id);
  const send = useCallback<Send>(
    (reply, at) => {
      const body = quote ? { ...reply, reply_to: quote.id } : reply;
      if (at) onSend(body, at);
      else onSend(body);
      if (quote) setQuote(null);
    },
    [quote, setQuote, onSend],
  );
  return { line: quote && <QuoteLine quote={quote} onRemove={() => setQuote(null)} />, onSend: send };
}
