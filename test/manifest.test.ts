import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  commandId,
  commandNames,
  containerId,
  contextKey,
  contextKeys,
  itemKinds,
  panelType,
  participantId,
  participantName,
  prefix,
  settingNames,
  viewId,
  viewNames,
} from '../extension/host/names';
import { root } from '../scripts/project.mjs';

interface Entry {
  readonly command?: string;
  readonly when?: string;
  readonly enablement?: string;
  readonly icon?: string;
}

interface Manifest {
  readonly icon: string;
  readonly activationEvents: readonly string[];
  readonly capabilities: { readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] } };
  readonly contributes: {
    readonly viewsContainers: Readonly<Record<string, readonly { readonly id: string; readonly icon: string }[]>>;
    readonly views: Readonly<Record<string, readonly { readonly id: string; readonly icon: string }[]>>;
    readonly viewsWelcome: readonly { readonly view: string; readonly contents: string; readonly when: string }[];
    readonly commands: readonly (Entry & {
      readonly command: string;
      readonly title: string;
      readonly category: string;
    })[];
    readonly menus: Readonly<Record<string, readonly Entry[]>>;
    readonly keybindings: readonly Entry[];
    readonly chatParticipants: readonly { readonly id: string; readonly name: string }[];
    readonly configuration: { readonly properties: Readonly<Record<string, { readonly default?: unknown }>> };
  };
}

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
const { contributes } = manifest;
const commands = commandNames.map(commandId);
const placed = [...Object.values(contributes.menus).flat(), ...contributes.keybindings];
const conditions = [...placed, ...contributes.viewsWelcome, ...contributes.commands].flatMap((entry) => [
  ...('when' in entry && entry.when ? [entry.when] : []),
  ...('enablement' in entry && entry.enablement ? [entry.enablement] : []),
]);
const links = contributes.viewsWelcome.flatMap(({ contents }) =>
  [...contents.matchAll(/\(command:([\w.]+)/g)].flatMap(([, id]) => id ?? []),
);
const own = (names: readonly string[]) => names.filter((name) => name.startsWith(`${prefix}.`)).sort();

/** Names of ours that stand in conditions, without those of the kinds that are given. */
function namesIn(texts: readonly string[], without: readonly string[]): string[] {
  const all = texts.flatMap((text) => text.match(new RegExp(`\\b${prefix}(\\.\\w+)+`, 'g')) ?? []);
  return [...new Set(all)].filter((name) => !without.includes(name)).sort();
}

describe('the manifest and the code have the same', () => {
  const views = viewNames.map(viewId);
  it.each([
    ['commands', contributes.commands.map(({ command }) => command), commands],
    ['settings', Object.keys(contributes.configuration.properties), settingNames.map((name) => `${prefix}.${name}`)],
    ['container', Object.values(contributes.viewsContainers).flatMap((all) => all.map(({ id }) => id)), [containerId]],
    ['place of the views', Object.keys(contributes.views), [containerId]],
    ['views', Object.values(contributes.views).flatMap((all) => all.map(({ id }) => id)), views],
    [
      'chat participant',
      contributes.chatParticipants.map(({ id, name }) => `${id} ${name}`),
      [`${participantId} ${participantName}`],
    ],
    [
      'panels',
      manifest.activationEvents.filter((event) => event.startsWith('onWebviewPanel:')),
      [`onWebviewPanel:${panelType}`],
    ],
    ['context keys', namesIn(conditions, [...views, panelType]), contextKeys.map(contextKey)],
  ])('%s', (_what, there, here) => {
    expect([...there].sort()).toEqual([...here].sort());
  });
});

describe('the manifest names only what exists:', () => {
  it.each([
    ['commands in menus and keys', placed.flatMap(({ command }) => own(command ? [command] : [])), commands],
    ['commands in welcome texts', own(links), commands],
    ['views in conditions', matches(/\bview == ([\w.]+)/g), viewNames.map(viewId)],
    ['panels in conditions', matches(/activeWebviewPanelId == '?([\w.]+)/g), [panelType]],
    ['kinds of tree items in conditions', matches(/viewItem == (\w+)/g), [...itemKinds]],
    [
      'settings that need trust',
      manifest.capabilities.untrustedWorkspaces.restrictedConfigurations,
      Object.keys(contributes.configuration.properties),
    ],
  ])('%s', (_what, named, known) => {
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
  });

  it('files', () => {
    const icons = [
      manifest.icon,
      ...Object.values(contributes.viewsContainers)
        .flat()
        .map(({ icon }) => icon),
      ...Object.values(contributes.views)
        .flat()
        .map(({ icon }) => icon),
    ];
    expect(icons.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('icons of VS Code', () => {
    const font = readFileSync(join(root, 'node_modules', '@vscode', 'codicons', 'dist', 'codicon.css'), 'utf8');
    const icons = contributes.commands.flatMap(({ icon }) => /^\$\((.+)\)$/.exec(icon ?? '')?.[1] ?? []);
    expect(icons.filter((name) => !font.includes(`.codicon-${name}:before`))).toEqual([]);
  });
});

it('every command has a title of its own and the same category', () => {
  expect(new Set(contributes.commands.map(({ title }) => title)).size).toBe(contributes.commands.length);
  expect(new Set(contributes.commands.map(({ category }) => category))).toEqual(new Set(['Transcript Inspector']));
});

it('every setting has a default', () => {
  const properties = Object.entries(contributes.configuration.properties);
  expect(properties.filter(([, property]) => property.default === undefined).map(([name]) => name)).toEqual([]);
});

function matches(pattern: RegExp): string[] {
  return conditions.flatMap((text) => [...text.matchAll(pattern)].flatMap(([, name]) => name ?? []));
}
