import js from '@eslint/js'
import reactHooks from 'eslint-plugin-react-hooks'
import tseslint from 'typescript-eslint'

/** Constructs that no file may use, each with what to do instead. */
const BANNED_SYNTAX = [
  {
    selector: "Property[key.name='shell'][value.value=true]",
    message: 'A shell would interpret what is data. Spawn the program with its arguments.',
  },
  {
    selector: 'ExportAllDeclaration',
    message: 'No barrel files: import a thing from the file that defines it.',
  },
  {
    selector:
      'CallExpression[callee.property.name=/^(skip|skipIf|todo|fixme|only|fails)$/][callee.object.name=/^(test|it|describe)$/]',
    message: 'No test is skipped or singled out.',
  },
  {
    selector: "CallExpression[callee.property.name='toMatchObject'] Property > Literal[regex]",
    message: 'toMatchObject takes any text for a regular expression. Use expect.stringMatching.',
  },
]

const NO_SHELL = 'It runs a shell. Use spawn or execFile with a list of arguments.'

export default tseslint.config(
  { ignores: ['dist/', '.build/', '**/.patchbay/', 'node_modules/', 'test-results/', 'playwright-report/'] },
  {
    // A comment that switches a rule off is itself an error.
    linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'error' },
  },
  js.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: {
      parserOptions: {
        projectService: { allowDefaultProject: ['*.ts'] },
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/ban-ts-comment': [
        'error',
        { 'ts-expect-error': true, 'ts-ignore': true, 'ts-nocheck': true, 'ts-check': false },
      ],
      '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
      // It refuses `Promise.withResolvers<void>()`, which is how to make a promise that says only when.
      '@typescript-eslint/no-invalid-void-type': 'off',
      // There are no enums (erasableSyntaxOnly), and classes with private members (#) are never taken for one another by
      // the compiler: the two rules find nothing, and take a fifth of the time of all.
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          paths: [
            { name: 'child_process', message: "Import it as 'node:child_process'." },
            { name: 'node:child_process', importNames: ['exec', 'execSync'], message: NO_SHELL },
          ],
        },
      ],
      'no-restricted-syntax': ['error', ...BANNED_SYNTAX],
      'max-lines': ['error', { max: 600 }],
      // What comes over a wire holds control characters, and so do the expressions that find them.
      'no-control-regex': 'off',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-eval': 'error',
      'no-new-func': 'error',
    },
  },
  {
    files: ['renderer/**/*.{ts,tsx}'],
    extends: [reactHooks.configs.flat.recommended],
    // It tells what the React compiler would pass over; the page is built without it.
    rules: { 'react-hooks/incompatible-library': 'off' },
  },
  {
    files: ['**/*.test.{ts,tsx}'],
    rules: {
      // Matchers such as expect.stringMatching are typed any.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      // Splitting a text into code points is what a test of framing wants.
      '@typescript-eslint/no-misused-spread': 'off',
      // The transport is deprecated; it is served, so the official client of it is a peer.
      '@typescript-eslint/no-deprecated': [
        'error',
        {
          allow: [{ from: 'package', package: '@modelcontextprotocol/sdk', name: 'SSEClientTransport' }],
        },
      ],
    },
  },
  {
    // The types of a page: what is not defined there is told by running it.
    files: ['e2e/electron-standin/page/*.js'],
    rules: { 'no-undef': 'off' },
  },
  {
    files: ['**/*.cjs'],
    languageOptions: { sourceType: 'commonjs', globals: { module: 'readonly', require: 'readonly' } },
  },
)
