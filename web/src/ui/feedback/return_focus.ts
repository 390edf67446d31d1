/**
 * When a dialog, menu, or panel is removed, the focus returns to the element that opened it. If that element was in
 * another dialog or menu that has closed, too, the focus returns to the opener of that one. This works for every
 * element with one of these roles, whether its component was closed or unmounted.
 */
const LAYERS = '[role=dialog], [role=alertdialog], [role=menu]';

interface Layer {
  element: Element;
  opener: HTMLElement;
  /** The layer that contains the opener. */
  parent: Layer | null;
}

export function keepFocus(root: Document = document): () => void {
  let layers: Layer[] = [];
  let last: HTMLElement | null = null;
  const findLayer = (element: Element | null): Layer | null =>
    layers.find((layer) => layer.element === element?.closest(LAYERS)) ?? null;

  const onFocus = ({ target }: FocusEvent) => {
    if (!(target instanceof HTMLElement)) return;
    const element = target.closest(LAYERS);
    if (element && last && !element.contains(last) && !layers.some((layer) => layer.element === element)) {
      // Pages without an open layer are not observed.
      if (layers.length === 0) observer.observe(root.body, CHANGES);
      layers.push({ element, opener: last, parent: findLayer(last) });
    }
    last = target;
  };
  const findOpener = (layer: Layer | null): HTMLElement | null => {
    for (let at = layer; at; at = at.parent) if (isShown(at.opener)) return at.opener;
    return null;
  };
  const observer = new MutationObserver(() => {
    const closed = layers.filter(({ element }) => !isShown(element));
    if (closed.length === 0) return;
    layers = layers.filter((layer) => !closed.includes(layer));
    if (layers.length === 0) observer.disconnect();
    // A dialog that opens next takes the focus itself.
    const active = root.activeElement;
    if (active && active !== root.body) return;
    // The opener of a deletion may be gone, too. Then the page's title is the place to go on.
    (findOpener(closed.at(-1)!) ?? root.querySelector<HTMLElement>('main h1'))?.focus({ preventScroll: true });
  });
  root.addEventListener('focusin', onFocus);
  return () => {
    observer.disconnect();
    root.removeEventListener('focusin', onFocus);
  };
}

const CHANGES = { childList: true, subtree: true, attributes: true, attributeFilter: ['style', 'hidden'] };

const isShown = (element: Element): boolean =>
  element.isConnected && !element.closest('[hidden], [style*="display: none"]');
