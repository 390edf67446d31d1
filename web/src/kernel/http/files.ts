/** Downloads of files that an endpoint returns. */
import type { AnyEndpoint } from '@parley/contract/endpoint.ts';
import { type CallInput, type CallOptions, callResponse } from './client.ts';

/** Calls an endpoint whose response is a file. */
export const callFile = async <E extends AnyEndpoint>(
  endpoint: E,
  input: CallInput<E>,
  options: CallOptions = {},
): Promise<Blob> => (await callResponse(endpoint, input, options)).blob();

/** Saves a file to the user's downloads. */
export function saveFile(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
