/** The arrows between the rooms, as data: which folder may import from which. What is not allowed is an error. */

const OURS = '^(server-core|renderer|electron|e2e|bench|docs|examples)/'

/** What the shell may know of the rest, and with it the stand-in that plays its runtime in the tests. */
const SHELL_MAY_IMPORT = [
  'server-core/host/lifeline.ts',
  'server-core/host/page.ts',
  'server-core/host/profile.ts',
  'server-core/host/shell-message-parsers.ts',
  'server-core/host/shell-messages.ts',
  'server-core/processes/host-memory.ts',
  'server-core/protocol/limits.ts',
]

/** Room → the folders and files of ours that it may import, beside itself. */
const MAY_IMPORT = {
  'server-core/protocol': [],
  'server-core/network': [],
  'server-core/processes': [],
  'server-core/registry': ['server-core/protocol'],
  'server-core/transports': ['server-core/protocol', 'server-core/processes'],
  'server-core/authorization': [
    'server-core/network',
    'server-core/protocol',
    'server-core/transports/authorization-port.ts',
    'server-core/transports/host-name.ts',
  ],
  'server-core/server': [
    'server-core/protocol',
    'server-core/registry',
    'server-core/transports/contract.ts',
    'server-core/transports/deprecation-warning.ts',
    'server-core/transports/encoded-message.ts',
    'server-core/transports/server-port.ts',
  ],
  'server-core/client': [
    'server-core/protocol',
    'server-core/transports',
    'server-core/registry/within-time.ts',
  ],
  'server-core/oauth': [
    'server-core/protocol',
    'server-core/network',
    'server-core/transports/client-authorization.ts',
    'server-core/transports/host-name.ts',
    'server-core/workspace/secret-store.ts',
  ],
  'server-core/bridge': [
    'server-core/protocol',
    'server-core/registry',
    'server-core/server',
    'server-core/client',
    'server-core/transports',
  ],
  'server-core/composition': [
    'server-core/protocol',
    'server-core/registry',
    'server-core/network',
    'server-core/bridge',
    'server-core/client',
  ],
  'server-core/responders': [
    'server-core/protocol',
    'server-core/client',
    'server-core/network',
    'server-core/scripts',
    'server-core/host/process-starter.ts',
  ],
  'server-core/traffic': ['server-core/protocol', 'server-core/transports'],
  'server-core/workspace': ['server-core/protocol'],
  'server-core/scripts': [
    'server-core/protocol',
    'server-core/processes',
    'server-core/registry',
    'server-core/composition/config-data.ts',
    'server-core/workspace/own-folder.ts',
    'server-core/host/process-starter.ts',
  ],
  'server-core/handmade': [
    'server-core/protocol',
    'server-core/registry',
    'server-core/responders/rule-error.ts',
    'server-core/responders/template.ts',
    'server-core/responders/scripts',
    'server-core/scripts/bundle-module.ts',
    'server-core/scripts/clean-environment.ts',
    'server-core/scripts/script-error.ts',
    'server-core/host/process-starter.ts',
  ],
  'server-core/faults': ['server-core/protocol', 'server-core/transports'],
  'server-core/install': [
    'server-core/protocol',
    'server-core/client',
    'server-core/transports',
    'server-core/workspace',
  ],
  'server-core/live': [
    'server-core/protocol',
    'server-core/registry',
    'server-core/composition',
    'server-core/handmade',
    'server-core/scripts',
    'server-core/traffic/redaction.ts',
    'server-core/workspace',
  ],
  'server-core/host': [
    'server-core/live',
    'server-core/protocol',
    'server-core/install',
    'server-core/registry',
    'server-core/server',
    'server-core/client',
    'server-core/transports',
    'server-core/processes',
    'server-core/authorization',
    'server-core/network',
    'server-core/oauth',
    'server-core/responders',
    'server-core/traffic',
    'server-core/workspace',
    'server-core/scripts',
    'server-core/handmade',
    'server-core/faults',
    'server-core/composition',
    'server-core/bridge',
  ],
  // The command line wires client and server by itself: it needs no profile lock and starts in a blink.
  'server-core/cli': [
    'examples/notes',
    'server-core/scripts',
    'server-core/live',
    'server-core/protocol',
    'server-core/install',
    'server-core/registry',
    'server-core/transports',
    'server-core/authorization',
    'server-core/network',
    'server-core/oauth',
    'server-core/bridge',
    'server-core/client',
    'server-core/responders',
    'server-core/server',
    'server-core/handmade',
    'server-core/faults',
    'server-core/composition',
    'server-core/traffic/recording',
    'server-core/processes/young-generation.ts',
    'server-core/workspace',
    'server-core/host',
  ],
  'server-core/launcher': ['server-core/host'],
  renderer: ['server-core/host/contract', 'server-core/protocol'],
  // What an author of a server may use.
  docs: [
    'server-core/protocol',
    'server-core/registry',
    'server-core/server',
    'server-core/transports',
    'server-core/authorization',
    'server-core/client',
  ],
  // A workspace knows what its scripts may import, and nothing else of ours, another workspace neither.
  ...Object.fromEntries(
    ['birds', 'commands', 'decisions', 'memory', 'notes'].map((name) => [
      `examples/${name}`,
      ['server-core/scripts/authoring/patchbay.ts', 'server-core/scripts/authoring/yaml.ts'],
    ]),
  ),
  electron: SHELL_MAY_IMPORT,
  'e2e/electron-standin': SHELL_MAY_IMPORT,
}

const escaped = (text) => text.replaceAll('.', '\\.')
const under = (place) => (/\.[a-z]+$/.test(place) ? `^${escaped(place)}$` : `^${escaped(place)}/`)
const TESTS = '\\.(test|bench|test-support)\\.tsx?$|-arbitrary\\.ts$|/(fixtures|testing|behaviour|interop)/'

const arrows = Object.entries(MAY_IMPORT).map(([room, allowed]) => ({
  name: `arrow-of-${room.replaceAll('/', '-')}`,
  comment: `${room} may import only ${allowed.length === 0 ? 'itself' : allowed.join(', ')}`,
  severity: 'error',
  from: { path: under(room), pathNot: TESTS },
  to: { path: OURS, pathNot: [under(room), ...allowed.map(under)] },
}))

module.exports = {
  forbidden: [
    ...arrows,
    {
      name: 'protocol-runs-in-a-browser',
      comment: 'protocol has no I/O and is part of the page, so it imports no module of Node',
      severity: 'error',
      from: { path: '^server-core/protocol/', pathNot: TESTS },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'renderer-runs-in-a-browser',
      comment: 'the page imports no module of Node',
      severity: 'error',
      from: { path: '^renderer/', pathNot: `${TESTS}|^renderer/vite\\.config\\.ts$` },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'only-the-shell-knows-electron',
      comment: 'importing electron outside the shell starts a download; its types are fine in the stand-in',
      severity: 'error',
      from: { pathNot: '^(electron|e2e/electron-standin|e2e/shell)/' },
      to: { path: '(^|/)node_modules/electron/|^electron$' },
    },
    {
      name: 'official-sdk-only-as-a-peer',
      comment: 'our protocol core is our own; the official packages are what it is tested against',
      severity: 'error',
      from: { pathNot: `${TESTS}|^e2e/|^bench/targets/official` },
      to: { path: '(^|/)node_modules/@modelcontextprotocol/|^@modelcontextprotocol/' },
    },
    {
      name: 'no-test-in-the-product',
      comment: 'a test, a fixture or e2e is imported by tests only',
      severity: 'error',
      from: { path: '^(server-core|renderer|electron)/', pathNot: TESTS },
      to: { path: [TESTS, '^e2e/', '^bench/'] },
    },
    {
      name: 'no-cycles',
      comment: 'modules that need each other are one module',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-unresolvable',
      comment: 'the import names a file or package that is not there',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no-undeclared-package',
      comment: 'a package of the product stands in dependencies, not only in devDependencies',
      severity: 'error',
      from: {
        path: '^(server-core|renderer|electron)/',
        pathNot: `${TESTS}|^server-core/launcher/|^renderer/vite\\.config\\.ts$`,
      },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
        dependencyTypesNot: ['npm', 'type-only'],
      },
    },
    {
      name: 'no-package-in-a-workspace',
      comment: 'a workspace of ours needs nothing installed: it has Node and what patchbay gives',
      severity: 'error',
      from: { path: '^examples/', pathNot: TESTS },
      to: { dependencyTypes: ['npm', 'npm-dev', 'npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'no-drawer',
      comment: 'a module is named by its job; utils, helpers and common are none',
      severity: 'error',
      from: {},
      to: { path: '(^|/)(utils?|helpers?|common|misc)(/|\\.tsx?$)', pathNot: 'node_modules' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|\\.build)/|/\\.patchbay/' },
    tsPreCompilationDeps: true,
    detectProcessBuiltinModuleCalls: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'browser', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.cjs', '.json', '.d.ts'],
    },
    skipAnalysisNotInRules: true,
  },
}
