import { type ReactNode, useRef, useState } from 'react';
import { MessageLink } from '../rows/cause';
import { useInspector, useView, useWindow } from '../state/context';
import { Button } from '../ui/button';
import { Icon } from '../ui/icon';
import { IconButton } from '../ui/iconButton';
import { Link } from '../ui/link';
import { Popover } from '../ui/popover';
import { count, figure } from '../words';

interface BannerProps {
  readonly tone: 'warn' | 'bad' | 'quiet';
  readonly icon: string;
  readonly children: ReactNode;
  readonly onClose?: () => void;
}

function Banner({ tone, icon, children, onClose }: BannerProps) {
  return (
    <div className="banner" data-tone={tone} role={tone === 'bad' ? 'alert' : 'status'}>
      <Icon name={icon} />
      <div className="banner-text">{children}</div>
      {onClose && <IconButton icon="close" label="Close" onClick={onClose} />}
    </div>
  );
}

/** A policy that would take out signed reasoning falls back to raw: said plainly, with the way round it. */
function Blocked() {
  const { act } = useInspector();
  const { blocked_by: message, policy, options } = useView((view) => view.projection);
  if (message === null) return null;
  return (
    <Banner tone="warn" icon="shield">
      <span className="code">{policy}</span> would change signed reasoning in <MessageLink message={message} />, which
      its provider does not accept. So nothing was changed: the model sees the raw transcript.{' '}
      <Button
        small
        title="Sets respect_provider_signatures to per_turn"
        onClick={() => act('set_policy', { policy, options: { ...options, respect_provider_signatures: 'per_turn' } })}
      >
        Keep just the signed turns (per_turn)
      </Button>
    </Banner>
  );
}

function Issues() {
  const { act } = useInspector();
  const issues = useView((view) => view.issues);
  const [open, setOpen] = useState(false);
  const anchor = useRef<HTMLSpanElement>(null);
  if (issues.total === 0) return null;
  return (
    <Banner tone="quiet" icon="warning">
      <span ref={anchor} tabIndex={-1}>
        <Link onClick={() => setOpen(!open)}>{count(issues.total, 'line')} could not be read</Link>
      </span>
      <span className="quiet">; everything else is here</span>
      {open && (
        <Popover label="What could not be read" anchor={anchor} onClose={() => setOpen(false)}>
          <ul className="issues">
            {issues.first.map((issue, index) => (
              <li key={index}>
                <span className="num">{issue.line === null ? '' : `line ${figure(issue.line)}`}</span>
                <span className="code">{issue.kind}</span>
                <span>{issue.text}</span>
              </li>
            ))}
          </ul>
          <Button onClick={() => act('open', { what: 'issues' })}>Open all {figure(issues.total)}</Button>
        </Popover>
      )}
    </Banner>
  );
}

/** What needs to be known before the rows are read. */
export function Banners() {
  const inspector = useInspector();
  const error = useView((view) => view.error);
  const refused = useView((view) => view.projection.error);
  const noApply = useView(({ projection }) =>
    projection.standing === 'preview' && !projection.can_apply && projection.policy !== 'raw'
      ? projection.no_apply
      : null,
  );
  const noRoute = useView((view) => (view.directives.pending > 0 ? (view.session?.no_route ?? null) : null));
  const closed = useWindow((state) => state.closedError);
  const fault = useWindow((state) => state.fault);
  const note = useWindow((state) => state.note);
  return (
    <div className="banners">
      {error !== null && error !== closed && (
        <Banner tone="bad" icon="error" onClose={inspector.closeError}>
          {error}
        </Banner>
      )}
      {fault !== null && (
        <Banner tone="bad" icon="error" onClose={inspector.closeFault}>
          {fault}
        </Banner>
      )}
      {refused !== null && (
        <Banner tone="bad" icon="error">
          {refused} <span className="quiet">The projection before stays.</span>
        </Banner>
      )}
      <Blocked />
      {noApply !== null && (
        <Banner tone="quiet" icon="info">
          {noApply}
        </Banner>
      )}
      {noRoute !== null && (
        <Banner tone="quiet" icon="info">
          {noRoute}
        </Banner>
      )}
      <Issues />
      {note !== null && (
        <Banner tone="quiet" icon="info" onClose={inspector.closeNote}>
          {note}
        </Banner>
      )}
    </div>
  );
}
