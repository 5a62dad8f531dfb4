import type { PermissionView } from '../../extension/protocol';
import { useInspector, useView } from '../state/context';
import { Button } from '../ui/button';
import { Icon } from '../ui/icon';

function Permission({ permission }: { readonly permission: PermissionView }) {
  const { act } = useInspector();
  const { id, tool, title, detail } = permission;
  return (
    <div className="permission" role="group" aria-label={`Permission for ${tool}`}>
      <Icon name="shield" />
      <details>
        <summary>
          The agent asks to use <span className="code">{tool}</span>: <span className="permission-title">{title}</span>
        </summary>
        <pre className="code">{detail}</pre>
      </details>
      <Button small primary onClick={() => act('permit', { id, allow: true })}>
        Allow
      </Button>
      <Button small onClick={() => act('permit', { id, allow: false })}>
        Deny
      </Button>
    </div>
  );
}

/** What the agent may not do before somebody said yes. */
export function Permissions() {
  const permissions = useView((view) => view.permissions);
  if (permissions.length === 0) return null;
  return (
    <div className="permissions" role="alert">
      {permissions.map((permission) => (
        <Permission key={permission.id} permission={permission} />
      ))}
    </div>
  );
}
