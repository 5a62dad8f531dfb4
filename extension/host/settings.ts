import { workspace } from 'vscode';
import type { ConfigurationScope, Disposable } from 'vscode';
import { prefix } from './names';
import type { SettingName, Settings } from './names';

const defaults: Settings = {
  scenario: '',
  openOnStart: false,
  claudeConfigDir: '',
  policy: 'raw',
  respectProviderSignatures: 'per_turn',
  contextWindow: 0,
  'fileChanges.enabled': true,
  'fileChanges.include': [],
  'fileChanges.deny': [],
};

/** The value of a setting; one of a wrong type counts as not set. */
export function setting<K extends SettingName>(name: K, scope?: ConfigurationScope): Settings[K] {
  const fallback = defaults[name];
  const value: unknown = workspace.getConfiguration(prefix, scope).get(name);
  if (Array.isArray(fallback)) {
    const list: readonly unknown[] = Array.isArray(value) ? value : [];
    return list.filter((each) => typeof each === 'string') as readonly string[] as Settings[K];
  }
  return typeof value === typeof fallback ? (value as Settings[K]) : fallback;
}

/** What the engine's option is called for each word of the setting. */
export function respectSignatures(): true | false | 'per_turn' {
  return { always: true, per_turn: 'per_turn', never: false }[setting('respectProviderSignatures')] as
    true | false | 'per_turn';
}

/** Globs of what VS Code's own explorer hides: never named to a model either. */
export function excludedFiles(scope?: ConfigurationScope): readonly string[] {
  const excluded = workspace.getConfiguration('files', scope).get<Record<string, unknown>>('exclude') ?? {};
  return Object.entries(excluded).flatMap(([glob, on]) => (on === true ? [glob] : []));
}

export function onDidChangeSetting(names: readonly SettingName[], listener: () => void): Disposable {
  return workspace.onDidChangeConfiguration((event) => {
    if (names.some((name) => event.affectsConfiguration(`${prefix}.${name}`))) listener();
  });
}
