/** Files of ours are asked of the origin the page came from, whatever name the server knows itself by; null: the address is somewhere else. */
export function mediaPath(url: string): string | null {
  if (/^(?:data|blob):/.test(url)) return url;
  if (!URL.canParse(url, 'http://here')) return null;
  const { pathname, search } = new URL(url, 'http://here');
  return pathname.startsWith('/v1/media/') ? pathname + search : null;
}
