/** Links in responses, such as those of files. */
import { installationOrigin } from '../../ui/brand.ts';

/**
 * Parses a response. Signed links lead to the installation, but a page on a brand's domain may load only from its
 * own address, which leads to the same server.
 */
export function parseResponse<T>(text: string): T {
  const home = installationOrigin();
  return JSON.parse(home === null ? text : text.replaceAll(`"${home}/v1/`, `"${window.location.origin}/v1/`)) as T;
}
