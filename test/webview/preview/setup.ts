import type { FakeHost } from '../support/host';
import { startScenario } from './scenarios';
import { themes } from './themes';

declare global {
  interface Window {
    fake: FakeHost;
    acquireVsCodeApi: () => unknown;
  }
}

const query = new URLSearchParams(location.search);
const theme = themes[query.get('theme') ?? 'dark'] ?? themes.dark!;
document.body.className = theme.className;
for (const [name, value] of Object.entries(theme.variables)) {
  document.documentElement.style.setProperty(`--vscode-${name}`, value);
}

const host = startScenario(query.get('scenario') ?? 'story');
window.fake = host;
host.listen((message) => window.postMessage(message, '*'));
window.acquireVsCodeApi = () => ({
  postMessage: (message: never) => host.post(message),
  getState: () => host.saved(),
  setState: (state: never) => host.save(state),
});
