// Pictures of the webview in every state, to be looked at: node test/webview/preview/shoot.mjs [name…]
import { mkdir } from 'node:fs/promises';
import { chromium } from 'playwright-core';
import { ensureChromium } from '../../../scripts/chromium.mjs';
import { FLAGS, servePreview } from './serve.mjs';

const FOLDER = new URL('../../../screenshots/preview/', import.meta.url).pathname;
const WIDE = { width: 1280, height: 860 };
const NARROW = { width: 480, height: 800 };
const ZOOMED = { width: 540, height: 400 };

const shots = [
  ...['dark', 'light', 'contrast'].flatMap((theme) =>
    ['story', 'sent', 'banners', 'directives', 'form', 'lifecycle'].map((scenario) => ({ scenario, theme, ...WIDE })),
  ),
  { scenario: 'applied', theme: 'dark', ...WIDE },
  ...['none', 'quiet', 'filtered', 'nodirectives', 'million'].map((scenario) => ({ scenario, theme: 'dark', ...WIDE })),
  { scenario: 'story', theme: 'dark', name: 'narrow', ...NARROW },
  { scenario: 'raw', theme: 'light', name: 'narrow-raw', ...NARROW },
  { scenario: 'form', theme: 'dark', name: 'narrow-form', ...NARROW },
  { scenario: 'lifecycle', theme: 'dark', name: 'narrow-lifecycle', ...NARROW },
  { scenario: 'story', theme: 'dark', name: 'zoomed', scale: 2, ...ZOOMED },
  {
    scenario: 'story',
    theme: 'dark',
    name: 'keyboard',
    ...WIDE,
    async act(page) {
      await page.getByRole('grid', { name: 'Transcript' }).focus();
      for (let step = 0; step < 7; step++) await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Shift+F10');
      await page.getByRole('menu').waitFor();
    },
  },
  {
    scenario: 'story',
    theme: 'dark',
    name: 'options',
    ...WIDE,
    async act(page) {
      await page.getByRole('button', { name: 'Policy options' }).click();
      await page.getByRole('textbox', { name: 'keep_last_failures' }).fill('two');
      await page.getByRole('button', { name: 'Use these options' }).click();
    },
  },
  { scenario: 'story', theme: 'light', name: 'panel', width: 1085, height: 500 },
  {
    scenario: 'directives',
    theme: 'dark',
    name: 'correct',
    ...WIDE,
    async act(page) {
      await page.getByRole('button', { name: 'Correct…' }).click();
    },
  },
  {
    scenario: 'story',
    theme: 'light',
    name: 'checkbox',
    ...WIDE,
    async act(page) {
      await page.getByRole('combobox', { name: 'Policy' }).selectOption('reachability_gc');
      await page.getByRole('button', { name: 'Policy options' }).click();
      await page.keyboard.press('Tab');
    },
  },
  {
    scenario: 'story',
    theme: 'light',
    name: 'filter',
    ...WIDE,
    async act(page) {
      await page.getByRole('button', { name: 'Filter' }).click();
    },
  },
  {
    scenario: 'story',
    theme: 'dark',
    name: 'fire',
    ...WIDE,
    async act(page) {
      await page.getByRole('button', { name: 'Fire now' }).click();
      await page.getByText(/would start turn 12/).waitFor();
      await page.getByRole('searchbox', { name: 'Search' }).fill('tokenizer');
      await page.keyboard.press('Enter');
      await page.getByText('2 of 7').waitFor();
    },
  },
  {
    scenario: 'million',
    theme: 'dark',
    name: 'middle',
    ...WIDE,
    async act(page) {
      await page.getByRole('grid', { name: 'Transcript' }).evaluate((grid) => {
        grid.scrollTop = grid.scrollHeight / 2;
      });
      await page.locator('[data-settled="true"]').waitFor();
      await page.getByRole('grid').hover();
    },
  },
];

const wanted = process.argv.slice(2);
const preview = await servePreview();
const browser = await chromium.launch({ executablePath: await ensureChromium(), args: FLAGS });
await mkdir(FOLDER, { recursive: true });
try {
  for (const shot of shots) {
    const name = `${shot.name ?? shot.scenario}-${shot.theme}`;
    if (wanted.length > 0 && !wanted.some((part) => name.includes(part))) continue;
    const page = await browser.newPage({
      viewport: { width: shot.width, height: shot.height },
      deviceScaleFactor: shot.scale ?? 1,
    });
    page.on('console', (message) => {
      if (!message.location().url.endsWith('favicon.ico')) console.log(`${name}: ${message.type()}: ${message.text()}`);
    });
    page.on('pageerror', (error) => console.log(`${name}: ${error.stack}`));
    await page.goto(`${preview.address}?scenario=${shot.scenario}&theme=${shot.theme}`);
    await page.locator('.inspector').waitFor();
    await page.waitForFunction(() => !document.querySelector('[aria-busy="true"]'));
    try {
      await shot.act?.(page);
    } catch (error) {
      console.log(`${name}: ${error.message}`);
    }
    await page.screenshot({ path: `${FOLDER}${name}.png` });
    await page.close();
  }
} finally {
  await browser.close();
  await preview.close();
}
