/** Splits an address with a query into the props of a router link. */
export function splitAddress(href: string): { to: string; search: never } {
  const { pathname, searchParams } = new URL(href, 'https://app');
  return { to: pathname, search: Object.fromEntries(searchParams) as never };
}
