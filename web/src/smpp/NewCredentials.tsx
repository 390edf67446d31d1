/** The credentials that a program needs to bind. The password is shown once. */

import { getSmppServer, type SmppAccount } from '@parley/contract/smpp/smpp.ts';
import { useEndpoint } from '../kernel/http/query.ts';
import styles from '../keys/Keys.module.css';
import { CopyId } from '../ui/data/CopyId.tsx';
import { Notice } from '../ui/feedback/Notice.tsx';
import { Fields } from '../ui/layout/SidePanel.tsx';

export function NewCredentials({ account }: { account: SmppAccount }) {
  return (
    <div className={styles.newKey}>
      <Notice tone="wait">Copy the password now. It cannot be shown again.</Notice>
      <ServerFacts account={account} />
    </div>
  );
}

/** The address of the server, the system ID, and the password while it is known. */
export function ServerFacts({ account }: { account: SmppAccount }) {
  const server = useEndpoint(getSmppServer).data?.data;
  const { system_id, password } = account;
  const isClosed = server && server.port === null && server.tls_port === null;
  return (
    <>
      {isClosed && <Notice tone="wait">The SMPP server is turned off. Ask your operator to open a port for it.</Notice>}
      <Fields
        fields={[
          { label: 'Host', value: server ? <CopyId value={server.host} label="host" /> : null },
          ...(server?.port ? [{ label: 'Port', value: String(server.port) }] : []),
          ...(server?.tls_port ? [{ label: 'TLS port', value: String(server.tls_port) }] : []),
          { label: 'System ID', value: <CopyId value={system_id} label="system ID" /> },
          ...(password === null ? [] : [{ label: 'Password', value: <CopyId value={password} label="password" /> }]),
        ]}
      />
    </>
  );
}
