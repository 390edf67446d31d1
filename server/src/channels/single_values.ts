/**
 * The query parameters or headers of a callback, each with one value. Some carriers add their own parameters to the
 * callback URL, so a parameter may occur twice with the same value. A parameter with several values is dropped.
 */
export const singleValues = (values: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries((values ?? {}) as object).flatMap(([name, value]): [string, string][] => {
      const [first, ...others] = Array.isArray(value) ? value : [value];
      return typeof first === 'string' && others.every((other) => other === first) ? [[name, first]] : [];
    }),
  );
