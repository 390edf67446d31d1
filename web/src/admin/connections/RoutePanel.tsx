import { Button, NumberInput, Select, Switch, TextInput } from '@mantine/core';
import { createRoute, type Route, removeRoute, updateRoute } from '@parley/contract/admin/admin.ts';
import { listConnections } from '@parley/contract/connections/connections.ts';
import { useMemo } from 'react';
import { useContractForm } from '../../kernel/form/form.ts';
import type { CallInput } from '../../kernel/http/client.ts';
import { useEndpoint } from '../../kernel/http/query.ts';
import { Allow } from '../../kernel/session/allow.tsx';
import { useReason } from '../../kernel/session/session.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { countryOptions } from '../../ui/form/countries.ts';
import { SearchSelect } from '../../ui/form/SearchSelect.tsx';
import { SidePanel } from '../../ui/layout/SidePanel.tsx';
import styles from '../Admin.module.css';
import { reachOf } from './reach.ts';

const FORM = 'route-form';

export interface RoutePanelProps {
  open: boolean;
  /** Null: a new one. */
  route: Route | null;
  onClose: () => void;
  onRemove: (route: Route) => void;
}

export function RoutePanel({ open, route, onClose, onRemove }: RoutePanelProps) {
  const endpoint = route ? updateRoute : createRoute;
  return (
    <SidePanel
      open={open}
      onClose={onClose}
      title={route ? reachOf(route) : 'Add route'}
      description={route ? `By ${route.connection_name}` : 'Counts for messages accepted from now on.'}
      actions={
        open && (
          <>
            {route && (
              <Allow needs={removeRoute.needs}>
                <Button variant="subtle" color="red" onClick={() => onRemove(route)}>
                  Remove
                </Button>
              </Allow>
            )}
            <Allow needs={endpoint.needs}>
              <Button type="submit" form={FORM}>
                {route ? 'Save' : 'Add route'}
              </Button>
            </Allow>
          </>
        )
      }
    >
      {open && <Form key={route?.id ?? 'new'} route={route} onDone={onClose} />}
    </SidePanel>
  );
}

const LABELS = { connection_id: 'Connection' };

function Form({ route, onDone }: { route: Route | null; onDone: () => void }) {
  const endpoint = route ? updateRoute : createRoute;
  const readOnly = useReason(endpoint.needs);
  const connections = useEndpoint(listConnections, { query: { page_size: 100, filter: { channel: 'SMS' } } });
  const countries = useMemo(countryOptions, []);
  const { form, onSubmit, problem } = useContractForm(endpoint as typeof updateRoute, {
    initial: {
      connection_id: route?.connection_id ?? '',
      country: route?.country ?? (null as string | null),
      prefix: route?.prefix ?? (null as string | null),
      priority: route?.priority ?? 10,
      enabled: route?.enabled ?? true,
    },
    input: (body) => ({ ...(route ? { params: { id: route.id } } : {}), body }) as CallInput<typeof updateRoute>,
    labels: LABELS,
    onDone: () => {
      toast.success(route ? 'The route was saved' : 'The route was added');
      onDone();
    },
  });
  return (
    <form id={FORM} className={styles.panelForm} onSubmit={onSubmit} noValidate>
      {problem && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      <fieldset disabled={readOnly !== null} style={{ display: 'contents' }}>
        <Select
          label="Connection"
          placeholder="Choose a connection"
          required
          data={(connections.data?.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          allowDeselect={false}
          key={form.key('connection_id')}
          {...form.getInputProps('connection_id')}
        />
        <SearchSelect
          label="Country"
          description="Empty with an empty prefix: everywhere."
          placeholder="Any country"
          data={countries}
          clearable
          clearButtonProps={{ 'aria-label': 'Any country' }}
          key={form.key('country')}
          {...form.getInputProps('country')}
        />
        <TextInput
          label="Prefix"
          description="First digits with the country code, without +. Wins over routes by country."
          inputMode="numeric"
          maxLength={12}
          key={form.key('prefix')}
          {...form.getInputProps('prefix')}
          defaultValue={route?.prefix ?? ''}
          onChange={(event) => form.setFieldValue('prefix', event.currentTarget.value.trim() || null)}
        />
        <NumberInput
          label="Priority"
          description="Of routes for the same numbers the lower goes first; the next is used while the first has no line up."
          min={1}
          max={1_000}
          allowDecimal={false}
          key={form.key('priority')}
          {...form.getInputProps('priority')}
        />
        <Switch label="In use" key={form.key('enabled')} {...form.getInputProps('enabled', { type: 'checkbox' })} />
      </fieldset>
    </form>
  );
}
