/** Shows the effect of a message, with the code that the server uses. */
import { TextInput } from '@mantine/core';
import { matchKeyword } from '@parley/contract/audiences/keyword_matching.ts';
import type { Keyword } from '@parley/contract/audiences/keywords.ts';
import { useState } from 'react';
import { useSession } from '../../kernel/session/session.tsx';
import { SenderSelect } from '../../senders/SenderSelect.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { CountrySelect } from '../../ui/form/CountrySelect.tsx';
import styles from '../Settings.module.css';
import { matchText } from './words.ts';

export function TryMessage({ keywords }: { keywords: readonly Keyword[] }) {
  const { account } = useSession();
  const [text, setText] = useState('');
  const [sender, setSender] = useState<string | null>(null);
  const [country, setCountry] = useState<string | null>(account.country_code);
  const scope = { sender_ids: sender ? [sender] : [], country: country ?? '' };
  const match = matchKeyword(text, scope, keywords);
  return (
    <div className={styles.form}>
      <TextInput
        label="Message"
        placeholder="For example: Stop it"
        value={text}
        maxLength={500}
        onChange={(event) => setText(event.currentTarget.value)}
        dir="auto"
      />
      <div className={styles.pair}>
        <SenderSelect
          label="To sender"
          placeholder="Any sender"
          clearable
          standalone
          value={sender}
          onChange={(value) => setSender(value)}
        />
        <CountrySelect label="From country" clearable value={country} onChange={setCountry} />
      </div>
      <div aria-live="polite">{text.trim() !== '' && <Result match={match} />}</div>
    </div>
  );
}

function Result({ match }: { match: ReturnType<typeof matchKeyword<Keyword>> }) {
  if (!match) return <Notice tone="info">No keyword matches. The message goes to the inbox only.</Notice>;
  const { title, text } = matchText(match);
  return (
    <Notice tone={match.kind === 'stop' ? 'wait' : 'ok'}>
      <strong>{title}</strong>
      <br />
      {text}
    </Notice>
  );
}
