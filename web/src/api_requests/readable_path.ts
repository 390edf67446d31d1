/** Shows `filter[status]` instead of `filter%5Bstatus%5D`. */
export function readablePath(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
