/**
 * The HTTP methods that each path supports. A known path with an unsupported method returns 405, not 404. These paths
 * are matched only after no route was found, because a route for each unsupported method would triple the start time.
 */

/** The methods of each path, such as `/v1/campaigns/:id`. */
export type Methods = Map<string, Set<string>>;

const ALL_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'] as const;

const toPattern = (url: string): RegExp => new RegExp(`^${url.replace(/[.]/g, '\\.').replace(/:\w+/g, '[^/]+')}$`);

/**
 * Returns the unsupported methods of fixed paths that a path with parameters would accept: `DELETE /v1/users/me` must
 * not delete the user with the ID `me`.
 */
export function listAmbiguous(
  methods: Methods,
): { url: string; method: (typeof ALL_METHODS)[number][]; supported: string[] }[] {
  const withParams = [...methods]
    .filter(([url]) => url.includes(':'))
    .map(([url, own]) => ({ url, own, match: toPattern(url) }));
  return [...methods].flatMap(([url, own]) => {
    const others = withParams.filter((other) => other.url !== url && other.match.test(url));
    const method = ALL_METHODS.filter((name) => !own.has(name) && others.some((other) => other.own.has(name)));
    return method.length > 0 ? [{ url, method, supported: [...own] }] : [];
  });
}

/** Returns a function that finds the methods of the most specific path that matches a URL, or null. */
export function methodFinder(methods: Methods): (url: string) => string[] | null {
  let paths: { match: RegExp; supported: string[] }[] | undefined;
  return (url) => {
    // Parameters sort after all fixed segments.
    paths ??= [...methods]
      .map(([path, own]) => ({ path: path.replace(/:\w+/g, '\uffff'), match: toPattern(path), supported: [...own] }))
      .sort((a, b) => (a.path < b.path ? -1 : 1));
    const path = readPath(url);
    return paths.find(({ match }) => match.test(path))?.supported ?? null;
  };
}

/** Returns the path of a URL the way the router reads it. */
function readPath(url: string): string {
  const path = url
    .split('?')[0]!
    .replace(/\/+/g, '/')
    .replace(/(.)\/$/, '$1');
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
