/** The account's keywords, a test of them, and the words that every sender understands. */

import { listKeywords } from '@parley/contract/audiences/keywords.ts';
import { useEndpoint } from '../../kernel/http/query.ts';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import { Section } from '../Section.tsx';
import { SettingsLayout } from '../SettingsLayout.tsx';
import { BuiltInWords } from './BuiltInWords.tsx';
import { KeywordList } from './KeywordList.tsx';
import { TryMessage } from './TryMessage.tsx';

export default function KeywordsPage() {
  const query = useEndpoint(listKeywords);
  const keywords = query.data?.data;
  return (
    <SettingsLayout title="Keywords" description="Words in inbound messages that opt out, opt in, or get a reply.">
      <Section
        title="Your keywords"
        description={
          'Keywords are checked in this order, and the first match wins. They take precedence over START and HELP. ' +
          'Words that mean STOP always opt out.'
        }
      >
        {query.error ? (
          <ErrorState title="The keywords could not be loaded" onRetry={() => void query.refetch()}>
            {query.error.message}
          </ErrorState>
        ) : keywords ? (
          <KeywordList keywords={keywords} />
        ) : (
          <SkeletonLines lines={3} />
        )}
      </Section>
      <Section title="Try a message" description="See which keyword matches. Nothing is sent.">
        <TryMessage keywords={keywords ?? []} />
      </Section>
      <Section
        title="Words that every sender recognizes"
        description={
          'Every sender recognizes these words, in any case, with or without accents and punctuation. The reply is ' +
          'in the language of the word, unless the sender has its own replies.'
        }
      >
        <BuiltInWords />
      </Section>
    </SettingsLayout>
  );
}
