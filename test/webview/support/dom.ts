// What the widgets and the window ask a browser for, and jsdom has not. Imported before anything else.

const listeners = new Set<() => void>();
let narrow = false;

/** Makes the window narrow, or wide again. */
export function setNarrow(value: boolean): void {
  narrow = value;
  for (const listener of [...listeners]) listener();
}

window.matchMedia = (media) =>
  ({
    media,
    get matches() {
      return narrow && media.includes('max-width');
    },
    addEventListener: (_: string, listener: () => void) => listeners.add(listener),
    removeEventListener: (_: string, listener: () => void) => listeners.delete(listener),
    addListener: () => undefined,
    removeListener: () => undefined,
  }) as unknown as MediaQueryList;

// Without it the widgets replace `focus`, which the simulated keyboard has replaced already.
Object.defineProperty(ShadowRoot.prototype, 'delegatesFocus', { value: true, configurable: true });

// There is no layout; what scrolls is given a size to fill.
Object.defineProperties(Element.prototype, {
  clientWidth: { get: () => 800, configurable: true },
  clientHeight: { get: () => 640, configurable: true },
});

// The widgets share their style sheets where they can. Nothing is drawn here, so they need not even be read.
class IgnoredSheet {
  readonly cssRules = [{ style: document.createElement('i').style }];
  replace = () => undefined;
  replaceSync = () => undefined;
  insertRule = () => 0;
}
globalThis.CSSStyleSheet = IgnoredSheet as unknown as typeof CSSStyleSheet;
for (const root of [Document.prototype, ShadowRoot.prototype]) {
  Object.defineProperty(root, 'adoptedStyleSheets', { get: () => [], set: () => undefined, configurable: true });
}
