/**
 * Delays an action until the pointer is released. An error that appears as a field loses the focus moves the page;
 * while the user presses a button, that would move the button away from under the click.
 */
let pressed = false;
let waiting: (() => void)[] = [];

export function afterRelease(act: () => void): void {
  if (pressed) waiting.push(act);
  else act();
}

if (typeof window !== 'undefined') {
  const press = () => {
    pressed = true;
  };
  const release = () => {
    pressed = false;
    // The click event follows the release in the same task.
    setTimeout(() => {
      if (pressed) return;
      const acts = waiting;
      waiting = [];
      for (const act of acts) act();
    });
  };
  // On touch screens the pointer is released before the mouse events, which move the focus, are fired.
  for (const type of ['pointerdown', 'mousedown']) window.addEventListener(type, press, { capture: true });
  for (const type of ['pointerup', 'mouseup', 'pointercancel', 'dragend', 'blur'])
    window.addEventListener(type, (event) => (type !== 'blur' || event.target === window) && release(), {
      capture: true,
    });
}
