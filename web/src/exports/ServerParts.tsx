/** The parts of the dialog for an SFTP server that call the server: its host key, and the connection test. */
import { Button, Checkbox, Input } from '@mantine/core';
import { type ExportDestination, type HostKey, testExportDestination } from '@parley/contract/exports/destinations.ts';
import { type ReactNode, useState } from 'react';
import { ApiError } from '../kernel/http/client.ts';
import { useAction } from '../kernel/http/query.ts';
import { Notice } from '../ui/feedback/Notice.tsx';
import type { toBody } from './destination_values.ts';
import styles from './Exports.module.css';

export type HostKeyChoice = Pick<HostKey, 'host_key_type' | 'host_key_fingerprint'>;
type ReadServer = () => ReturnType<typeof toBody>;

const errorText = (error: unknown): string | null =>
  error instanceof ApiError && !error.announced ? (error.errors[0]?.message ?? error.message) : null;

interface HostKeyPartProps {
  /** The server whose key was accepted before. */
  saved: ExportDestination | null;
  readServer: ReadServer;
  error: ReactNode;
  /** Called with empty texts if the user does not accept the key. */
  onChoose: (choice: HostKeyChoice) => void;
}

/** Shows the fingerprint of the server, which the user compares and accepts. */
export function HostKeyPart({ saved, readServer, error, onChoose }: HostKeyPartProps) {
  const [found, setFound] = useState<HostKeyChoice | null>(saved);
  const [isAccepted, setAccepted] = useState(saved !== null);
  const read = useAction(testExportDestination, {
    onSuccess: ({ data }) => {
      setFound(data);
      accept(data, data.host_key_fingerprint === saved?.host_key_fingerprint);
    },
    onError: () => {},
  });
  const accept = (key: HostKeyChoice, isNow: boolean) => {
    setAccepted(isNow);
    onChoose(isNow ? key : { host_key_type: '', host_key_fingerprint: '' });
  };
  const start = () => {
    const { host, port } = readServer();
    read.mutate({ body: { host, port } });
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
  readServer: ReadServer;
  /** A saved server, whose stored password or private key is used if none was entered. */
  destination_id: string | undefined;
}

/** Signs in, and writes and deletes a small file, before the user saves. */
export function ConnectionTest({ readServer, destination_id }: ConnectionTestProps) {
  const test = useAction(testExportDestination, { onError: () => {} });
  const [isUnaccepted, setUnaccepted] = useState(false);
  const start = () => {
    const { name: _, file_name: __, ...body } = readServer();
    setUnaccepted(body.host_key_fingerprint === '');
    if (body.host_key_fingerprint === '') return;
    test.mutate({ body: { ...body, ...(destination_id ? { destination_id } : {}) } });
  };
  const failure = errorText(test.error);
  return (
    <div className={styles.test}>
      <Button variant="default" onClick={start} loading={test.isPending}>
        Test connection
      </Button>
      {isUnaccepted && <Notice tone="wait">Read and accept the host key first.</Notice>}
      {!isUnaccepted && failure && <Notice tone="fail">{failure}</Notice>}
      {!isUnaccepted && test.data && !test.isPending && (
        <Notice tone="ok">Signed in, and a test file was written and deleted.</Notice>
      )}
    </div>
  );
}
