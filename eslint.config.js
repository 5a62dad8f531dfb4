import reactHooks from 'eslint-plugin-react-hooks';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

const vscodeOnlyInHost = {
  name: 'vscode',
  message: 'Only extension/host, extension/main.ts and the test extensions know VS Code.',
};

export default defineConfig(
  globalIgnores(['dist/', '.build/', '.tools/', 'node_modules/', 'screenshots/']),
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      'no-restricted-imports': ['error', { paths: [vscodeOnlyInHost] }],
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/require-await': 'off',
      'no-empty': ['error', { allowEmptyCatch: false }],
      eqeqeq: 'error',
    },
  },
  {
    files: ['extension/host/**/*.ts', 'extension/main.ts', 'test/e2e/**/*.ts', 'test/support/vscode*/**/*.ts'],
    rules: { 'no-restricted-imports': 'off' },
  },
  {
    files: ['webview/**/*.tsx', 'webview/**/*.ts'],
    extends: [reactHooks.configs.flat.recommended],
  },
);
