import {
  createExportDestination,
  type ExportDestination,
  updateExportDestination,
} from '@parley/contract/exports/destinations.ts';
import { useContractForm } from '../kernel/form/form.ts';
import { toast } from '../ui/feedback/Toasts.tsx';

interface Options<V extends Record<string, unknown>> {
  /** Null for a new destination. */
  destination: ExportDestination | null;
  /** The name of the destination in messages, such as "SFTP server". */
  noun: string;
  initial: V;
  toBody: (values: V) => object;
  labels: Partial<Record<keyof V & string, string>>;
  /** Rules beyond those of the call, such as a secret that a new destination needs. */
  check: (values: V) => Partial<Record<string, string | null>>;
  onClose: () => void;
}

/** The form that creates or changes an export destination of either type. */
export function useDestinationForm<V extends Record<string, unknown>>(options: Options<V>) {
  const { destination, noun, initial, toBody, labels, check, onClose } = options;
  const endpoint = (destination ? updateExportDestination : createExportDestination) as typeof createExportDestination;
  return useContractForm<typeof createExportDestination, V>(endpoint, {
    ...{ initial, labels, check, body: toBody },
    input: (values) =>
      ({ ...(destination ? { params: { id: destination.id } } : {}), body: toBody(values) }) as { body: never },
    onDone: () => {
      toast.success(destination ? `The ${noun} was saved` : `The ${noun} was added`);
      onClose();
    },
  });
}
