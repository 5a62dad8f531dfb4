import { VSCodeProgressRing } from '@vscode/webview-ui-toolkit/react';

/** Says that something is being worked out. */
export function Ring({ label }: { readonly label: string }) {
  return (
    <span className="ring" role="status">
      <VSCodeProgressRing aria-hidden="true" /> {label}
    </span>
  );
}

/** How far reading has come, 0 to 1. */
export function ProgressBar({ value, label }: { readonly value: number; readonly label: string }) {
  const percent = Math.round(Math.min(1, Math.max(0, value)) * 100);
  return (
    <div
      className="progress"
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      title={`${label}: ${percent} %`}
    >
      <i style={{ width: `${percent}%` }} />
    </div>
  );
}
