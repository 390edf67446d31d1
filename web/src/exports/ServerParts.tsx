/** The parts of the dialogs for export destinations that call them: a server's host key, and the connection test. */
import { Button, Checkbox, Input } from '@mantine/core';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { type SftpDestination, testExportDestination } from '@parley/contract/exports/destinations.ts';
import { type ReactNode, useState } from 'react';
import { ApiError } from '../kernel/http/client.ts';
import { useAction } from '../kernel/http/query.ts';
import { Notice } from '../ui/feedback/Notice.tsx';
import type { toBody } from './destination_values.ts';
import styles from './Exports.module.css';

export type HostKeyChoice = Pick<SftpDestination, 'host_key_type' | 'host_key_fingerprint'>;

const errorText = (error: unknown): string | null =>
  error instanceof ApiError && !error.announced ? (error.errors[0]?.message ?? error.message) : null;

interface HostKeyPartProps {
  /** The server whose key was accepted before. */
  saved: SftpDestination | null;
  readServer: () => ReturnType<typeof toBody>;
  error: ReactNode;
  /** Called with empty texts if the user does not accept the key. */
  onChoose: (choice: HostKeyChoice) => void;
}

/** Shows the fingerprint of the server, which the user compares and accepts. */
export function HostKeyPart({ saved, readServer, error, onChoose }: HostKeyPartProps) {
  const [found, setFound] = useState<HostKeyChoice | null>(saved);
  const [isAccepted, setAccepted] = useState(saved !== null);
  const read = useAction(testExportDestination, {
    onSuccess: ({ data: { host_key_type = '', host_key_fingerprint = '' } }) => {
      setFound({ host_key_type, host_key_fingerprint });
      accept({ host_key_type, host_key_fingerprint }, host_key_fingerprint === saved?.host_key_fingerprint);
    },
    onError: () => {},
  });
  const accept = (key: HostKeyChoice, isNow: boolean) => {
    setAccepted(isNow);
    onChoose(isNow ? key : { host_key_type: '', host_key_fingerprint: '' });
  };
  const start = () => {
    const { host, port } = readServer();
    read.mutate({ body: { type: 'sftp', host, port } });
  };
  return (
    <Input.Wrapper
      label="Host key"
      labelElement="div"
      description="Compare it with your server: ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub"
      error={error ?? errorText(read.error)}
      data-path="host_key_fingerprint"
    >
      <div className={styles.hostKey}>
        {found && (
          <code className={styles.fingerprint}>
            {found.host_key_type} {found.host_key_fingerprint}
          </code>
        )}
        <Button variant="default" size="xs" onClick={start} loading={read.isPending}>
          {found ? 'Read again' : 'Read host key'}
        </Button>
        {found && (
          <Checkbox
            label="This is the key of my server"
            checked={isAccepted}
            onChange={(event) => accept(found, event.currentTarget.checked)}
          />
        )}
      </div>
    </Input.Wrapper>
  );
}

interface ConnectionTestProps {
  readBody: () => Parsed<typeof testExportDestination>['body'];
  /** Returns the step that is missing before the test, or null. */
  findMissing?: () => string | null;
  /** A saved destination, whose stored secret is used if none was entered. */
  destination_id: string | undefined;
}

/** Signs in, and writes and deletes a small file, before the user saves. */
export function ConnectionTest({ readBody, findMissing, destination_id }: ConnectionTestProps) {
  const test = useAction(testExportDestination, { onError: () => {} });
  const [missing, setMissing] = useState<string | null>(null);
  const start = () => {
    const next = findMissing?.() ?? null;
    setMissing(next);
    if (next === null) test.mutate({ body: { ...readBody(), ...(destination_id ? { destination_id } : {}) } });
  };
  const failure = errorText(test.error);
  return (
    <div className={styles.test}>
      <Button variant="default" onClick={start} loading={test.isPending}>
        Test connection
      </Button>
      {missing && <Notice tone="wait">{missing}</Notice>}
      {!missing && failure && <Notice tone="fail">{failure}</Notice>}
      {!missing && test.data && !test.isPending && (
        <Notice tone="ok">Signed in, and a test file was written and deleted.</Notice>
      )}
    </div>
  );
}
