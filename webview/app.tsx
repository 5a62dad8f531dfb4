import type { Tab } from '../extension/protocol';
import { Boundary } from './boundary';
import { Composer } from './composer/composer';
import { DirectivesPanel } from './directives/panel';
import { Banners } from './header/banners';
import { Header } from './header/header';
import { LifecyclePanel } from './lifecycle/panel';
import { Filter } from './rows/filter';
import { TranscriptPanel } from './rows/panel';
import { SearchBox } from './rows/searchBox';
import { useInspector, useView, useWindow } from './state/context';
import { useStore } from './state/store';
import { Empty } from './ui/empty';
import { ProgressBar, Ring } from './ui/progress';
import { panelId, tabId, type TabItem, Tabs } from './ui/tabs';

function Panel({ tab }: { readonly tab: Tab }) {
  switch (tab) {
    case 'transcript':
      return <TranscriptPanel />;
    case 'directives':
      return <DirectivesPanel />;
    case 'lifecycle':
      return <LifecyclePanel />;
  }
}

function Live() {
  const { announcer } = useInspector();
  const { text } = useStore(announcer.state);
  return (
    <div className="spoken" role="status" aria-live="polite" aria-label="News">
      {text}
    </div>
  );
}

function Session() {
  const { showTab, report } = useInspector();
  const session = useView((view) => view.session);
  const pending = useView((view) => view.directives.pending);
  const progress = useView((view) => view.progress);
  const tab = useWindow((state) => state.tab);
  if (!session) return <NoSession />;
  const items: readonly TabItem<Tab>[] = [
    { id: 'transcript', label: 'Transcript', badge: 0 },
    { id: 'directives', label: 'Directives', badge: pending, counts: 'pending' },
    { id: 'lifecycle', label: 'Lifecycle', badge: 0 },
  ];
  return (
    <div className="inspector">
      <div className="head">
        <Header session={session} />
        <div className="tab-line">
          <Tabs items={items} current={tab} onSelect={showTab} />
          {tab === 'transcript' && (
            <div className="tools">
              <SearchBox />
              <Filter />
            </div>
          )}
        </div>
        <Banners />
        {progress !== null && <ProgressBar value={progress} label="Reading the session" />}
      </div>
      <main className="body" role="tabpanel" id={panelId(tab)} aria-labelledby={tabId(tab)}>
        <Boundary key={tab} onError={report}>
          <Panel tab={tab} />
        </Boundary>
      </main>
      <Composer />
      <Live />
    </div>
  );
}

function NoSession() {
  const { act } = useInspector();
  return (
    <div className="inspector">
      <Banners />
      <Empty
        title="What an agent says, and what its model is shown, will appear here side by side"
        action={{ label: 'Show sessions', onClick: () => act('command', { command: 'showSessions' }) }}
      >
        No session is open. Choose one that was found for this workspace, open a session file, or start the sample
        session.
      </Empty>
    </div>
  );
}

export function App() {
  const inspector = useInspector();
  const ready = useWindow((state) => state.view !== null);
  return (
    <Boundary onError={inspector.report}>
      {ready ? (
        <Session />
      ) : (
        <div className="empty">
          <Ring label="Waiting for the session" />
        </div>
      )}
    </Boundary>
  );
}
