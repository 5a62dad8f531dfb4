import './main.css';
import { createRoot } from 'react-dom/client';
import { App } from './app';
import { InspectorProvider } from './state/context';
import { acquireHost } from './state/host';
import { createInspector } from './state/inspector';

const root = document.getElementById('root') ?? document.body.appendChild(document.createElement('div'));
root.id = 'root';
const inspector = createInspector(acquireHost());
createRoot(root).render(
  <InspectorProvider value={inspector}>
    <App />
  </InspectorProvider>,
);
