import { useEffect, useRef, useState } from 'react';
import { useInspector, useView, useWindow } from '../state/context';
import { Button } from '../ui/button';
import { Permissions } from './permissions';

/** Writes to the agent. Enter sends, Shift+Enter begins a new line. */
export function Composer() {
  const inspector = useInspector();
  const noComposer = useView((view) => view.session?.no_composer ?? null);
  const running = useView((view) => view.session?.status === 'running');
  const draft = useWindow((state) => state.draft);
  const focus = useWindow((state) => state.focus);
  const area = useRef<HTMLTextAreaElement>(null);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);

  useEffect(() => {
    if (focus?.target === 'composer') area.current?.focus();
  }, [focus]);

  const send = async (): Promise<void> => {
    const text = draft.trim();
    if (text === '' || busy || noComposer !== null) return;
    setBusy(true);
    setFault(null);
    try {
      await inspector.ask('send', { text });
      // What was typed while it was being sent is kept.
      const now = inspector.state.get().draft;
      inspector.setDraft(now.startsWith(draft) ? now.slice(draft.length) : now);
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error));
    }
    setBusy(false);
  };

  return (
    <footer className="foot">
      <Permissions />
      {fault !== null && (
        <div className="fault" role="alert">
          {fault}
        </div>
      )}
      {noComposer !== null ? (
        <p className="no-composer">{noComposer}</p>
      ) : (
        <div className="composer">
          <textarea
            ref={area}
            rows={1}
            aria-label="Message the agent"
            placeholder="Message the agent"
            value={draft}
            onChange={(event) => inspector.setDraft(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
              event.preventDefault();
              void send();
            }}
          />
          {running && <Button onClick={() => inspector.act('stop', {})}>Stop</Button>}
          <Button primary disabled={busy || draft.trim() === ''} onClick={() => void send()}>
            Send
          </Button>
        </div>
      )}
    </footer>
  );
}
