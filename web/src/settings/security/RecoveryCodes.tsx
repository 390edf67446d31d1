/** Recovery codes, shown only once after they are generated. Users who did not save them must generate new ones. */

import { Button, Checkbox } from '@mantine/core';
import { IconCopy, IconDownload, IconPrinter } from '@tabler/icons-react';
import { useState } from 'react';
import { saveFile } from '../../kernel/http/files.ts';
import { useSession } from '../../kernel/session/session.tsx';
import { brandName } from '../../ui/brand.ts';
import { copyText } from '../../ui/data/CopyId.tsx';
import { Disabled } from '../../ui/feedback/Disabled.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { Buttons } from '../../ui/form/FormParts.tsx';
import settings from '../Settings.module.css';
import styles from './Security.module.css';

export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const { user } = useSession();
  const [isSaved, setSaved] = useState(false);
  const text = [
    `${brandName()} recovery codes for ${user.email}`,
    'Each code works once, in place of the authenticator.',
    '',
    ...codes,
    '',
  ].join('\n');
  const icon = { size: 16, stroke: 1.7, 'aria-hidden': true };
  return (
    <div className={`${styles.setup} ${styles.sheet}`}>
      <div>
        <p className={styles.question}>Your recovery codes</p>
        <p className={settings.hint}>
          Each code works once, in place of the authenticator, if you lose your phone. The codes will not be shown
          again. Store them with your passwords.
        </p>
      </div>
      <ul className={styles.codes} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Buttons>
        <Button
          variant="default"
          leftSection={<IconCopy {...icon} />}
          onClick={() =>
            void copyText(text).then((done) =>
              done
                ? toast.success('The codes were copied')
                : toast.error('Your browser blocked copying. Download the codes instead.'),
            )
          }
        >
          Copy
        </Button>
        <Button
          variant="default"
          leftSection={<IconDownload {...icon} />}
          onClick={() => saveFile(new Blob([text], { type: 'text/plain' }), 'parley-recovery-codes.txt')}
        >
          Download
        </Button>
        <Button variant="default" leftSection={<IconPrinter {...icon} />} onClick={() => window.print()}>
          Print
        </Button>
      </Buttons>
      <Checkbox
        label="I have saved these codes"
        checked={isSaved}
        onChange={(event) => setSaved(event.currentTarget.checked)}
      />
      <Buttons>
        <Disabled reason={isSaved ? null : 'First confirm that you saved the codes'}>
          <Button onClick={onDone}>Done</Button>
        </Disabled>
      </Buttons>
    </div>
  );
}
