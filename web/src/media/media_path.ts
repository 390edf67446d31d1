/**
 * The path of a file that this server hosts, so that it loads from the origin of the page. Null if the URL belongs to
 * another host.
 */
export function mediaPath(url: string): string | null {
  if (/^(?:data|blob):/.test(url)) return url;
  if (!URL.canParse(url, 'http://localhost')) return null;
  const { pathname, search } = new URL(url, 'http://localhost');
  return pathname.startsWith('/v1/media/') ? pathname + search : null;
}
