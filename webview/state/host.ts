import type { SavedState, ToHost } from '../../extension/protocol';

/** The other side of the window. */
export interface Host {
  post(message: ToHost): void;
  saved(): unknown;
  save(state: SavedState): void;
  /** Calls back with whatever arrives; nothing about it can be trusted to have a shape. */
  listen(listener: (message: unknown) => void): () => void;
}

interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

/** The host that VS Code gives a webview; may be asked for only once. */
export function acquireHost(): Host {
  const api = acquireVsCodeApi();
  return {
    post: (message) => api.postMessage(message),
    saved: () => api.getState(),
    save: (state) => api.setState(state),
    listen(listener) {
      const receive = (event: MessageEvent): void => listener(event.data);
      window.addEventListener('message', receive);
      return () => window.removeEventListener('message', receive);
    },
  };
}
