import { Anchor, Button, SegmentedControl } from '@mantine/core';
import { createKey } from '@parley/contract/keys/keys.ts';
import { IconCopy } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { routeReason } from '../kernel/session/routes.tsx';
import { useSession } from '../kernel/session/session.tsx';
import { recentKey } from '../keys/recent_key.ts';
import { CREATE_KEY } from '../paths.ts';
import { copyText } from '../ui/data/CopyId.tsx';
import { toast } from '../ui/feedback/Toasts.tsx';
import { KEY_PLACEHOLDER, type Language, SNIPPETS } from './snippets.ts';
import styles from './TryItNow.module.css';

/** The API request for the last test, as code. */
export function Snippet({ body }: { body: Readonly<Record<string, unknown>> }) {
  const [language, setLanguage] = useState<Language>('curl');
  const session = useSession();
  const key = recentKey(session.account.id);
  const code = SNIPPETS.find(({ value }) => value === language)!.write({
    origin: window.location.origin,
    key: key ?? KEY_PLACEHOLDER,
    body,
  });
  const canCreate = key === null && routeReason({ needs: createKey.needs }, session) === null;
  return (
    <section className={styles.snippet} aria-label="API request">
      <header className={styles.snippetHead}>
        <h2 className={styles.name}>API request</h2>
        <SegmentedControl
          size="xs"
          aria-label="Language"
          value={language}
          onChange={(value) => setLanguage(value as Language)}
          data={SNIPPETS.map(({ value, label }) => ({ value, label }))}
        />
        <Button
          size="xs"
          variant="default"
          leftSection={<IconCopy size={14} aria-hidden />}
          onClick={() =>
            void copyText(code).then((done) =>
              done
                ? toast.success('Code copied')
                : toast.error('The code could not be copied. Select it and copy it manually.'),
            )
          }
        >
          Copy code
        </Button>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <pre className={styles.code} tabIndex={0}>
        {code}
      </pre>
      {canCreate && (
        <p className={styles.snippetNote}>
          <Anchor component={Link} to={CREATE_KEY} inherit>
            Create an API key
          </Anchor>{' '}
          to run this request from your own program.
        </p>
      )}
    </section>
  );
}
