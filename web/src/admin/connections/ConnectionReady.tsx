/** The last step of connecting a provider: its callbacks, a test message, and the route that uses it. */
import { Button } from '@mantine/core';
import { createRoute, listRoutes } from '@parley/contract/admin/admin.ts';
import type { ProviderGuide } from '@parley/contract/channels/adapter.ts';
import { PHONE_CHANNEL } from '@parley/contract/channels/names.ts';
import { BIND_STATE, type Connection } from '@parley/contract/connections/connections.ts';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useEndpoint } from '../../kernel/http/query.ts';
import { Allow } from '../../kernel/session/allow.tsx';
import { CONNECTIONS } from '../../paths.ts';
import { CodeBlock } from '../../ui/data/CodeBlock.tsx';
import { StatusBadge } from '../../ui/data/StatusBadge.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import styles from '../Admin.module.css';
import { callbackLink, hasCallbackSecret, summarizeBinds } from './binds.ts';
import own from './Connect.module.css';
import { ConnectionTester } from './ConnectionTester.tsx';
import { RoutePanel } from './RoutePanel.tsx';
import { routeNumbers } from './route_numbers.ts';

interface ReadyProps {
  connection: Connection;
  guide: ProviderGuide;
  /** The callback secret, if it was entered in this tab. */
  secret: string;
}

export function ConnectionReady({ connection, guide, secret }: ReadyProps) {
  const { id, name, channel, callback_url, paused_date, pause_reason } = connection;
  const { state, reason } = summarizeBinds(connection);
  const isPhone = channel === PHONE_CHANNEL;
  return (
    <>
      <PageHeader
        title={isPhone ? `Test ${name}` : name}
        description={isPhone ? 'Send a message to your phone. Then choose which numbers use this connection.' : null}
        badge={<StatusBadge {...BIND_STATE[state]} reason={reason} />}
      />
      <div className={own.steps}>
        {paused_date && <Notice tone="fail">{`Paused. ${pause_reason}.`}</Notice>}
        {callback_url !== null && <Callbacks connection={connection} guide={guide} secret={secret} />}
        {isPhone && (
          <section className={own.step} aria-label="Test">
            <h2>Test message</h2>
            <ConnectionTester connection={connection} />
          </section>
        )}
        {isPhone && <RouteStep connection={connection} />}
        <div>
          <Button component={Link} to={CONNECTIONS} search={{ open: id } as never}>
            Done
          </Button>
        </div>
      </div>
    </>
  );
}

function Callbacks({ connection, guide, secret }: ReadyProps) {
  const { callback_state } = connection;
  const takesUrl = guide.supports.includes('callback');
  return (
    <section className={own.step} aria-label="Callbacks">
      <h2>Callbacks</h2>
      {takesUrl && callback_state === null && (
        <Notice tone="wait">{`Setting the callback URL at ${guide.name}…`}</Notice>
      )}
      {takesUrl && callback_state?.ok && (
        <Notice tone="ok">{`${guide.name} sends delivery receipts and replies to this server.`}</Notice>
      )}
      {takesUrl && callback_state?.ok === false && <Notice tone="fail">{callback_state.text}</Notice>}
      {!takesUrl && guide.callback && <p className={styles.hint}>{guide.callback}</p>}
      {(!takesUrl || callback_state?.ok === false) && (
        <>
          <div className={own.exchange}>
            <CodeBlock label="callback URL" code={callbackLink(connection, secret)} />
          </div>
          {hasCallbackSecret(connection) && secret === '' && (
            <p className={styles.hint}>Replace CALLBACK_SECRET with the callback secret of this connection.</p>
          )}
        </>
      )}
    </section>
  );
}

/** Without a route, no message uses the connection. */
function RouteStep({ connection: { id, name } }: { connection: Connection }) {
  const [isAdding, setAdding] = useState(false);
  const query = useEndpoint(listRoutes, { query: { page_size: 100 } });
  const routes = query.data?.data.filter((route) => route.connection_id === id) ?? [];
  return (
    <section className={own.step} aria-label="Routes">
      <h2>Routes</h2>
      <p className={styles.hint}>
        {routes.length > 0
          ? `${routes.map(routeNumbers).join(', ')}: messages can use ${name}.`
          : `No message uses ${name} until a route points to it. A route without a country applies to all numbers.`}
      </p>
      <div>
        <Allow needs={createRoute.needs}>
          <Button variant="default" onClick={() => setAdding(true)}>
            Add route
          </Button>
        </Allow>
      </div>
      <RoutePanel
        open={isAdding}
        route={null}
        connection_id={id}
        onClose={() => setAdding(false)}
        onRemove={() => undefined}
      />
    </section>
  );
}
