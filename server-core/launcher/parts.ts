/** One thing that is built by itself: a failing part leaves the others, and its own last build, as they are. */
export type Part = {
  readonly name: PartName
  /** What it is, in words, for messages. */
  readonly what: string
  /** Folder below `dist` that its files go to. */
  readonly folder: string
  readonly recipe: NodeRecipe | PageRecipe | WorkspaceRecipe
  /** Folders below the root of which every file is an input, because the bundler takes in more than modules. */
  readonly watchedFolders: readonly string[]
}

export type PartName = 'cli' | 'host' | 'tool-host' | 'workspace' | 'shell' | 'preload' | 'renderer' | 'bench'

/** Modules for Node or Electron, bundled by esbuild. */
export type NodeRecipe = {
  readonly kind: 'node'
  /** Name of the built file without extension → source below the root. */
  readonly entries: Readonly<Record<string, string>>
  /** A sandboxed preload can only be one CommonJS file; everything else is ESM, split for quick starts. */
  readonly format: 'esm' | 'cjs'
  /** Modules below the root, or packages, that another bundle has → what the files of this one import instead. */
  readonly elsewhere?: Readonly<Record<string, string>>
  /** Our own modules, below the root, in place of imports by these names. */
  readonly inPlaceOf?: Readonly<Record<string, string>>
  /**
   * For what is started again for each use: the modules that a start loads. They become one file, and Node's own modules
   * are loaded on first need.
   */
  readonly start?: readonly string[]
  /**
   * With what the first entry is run once after the build, so that the compiled code of its usual start is there from
   * the first real start on.
   */
  readonly warmUp?: WarmUp
  /** It goes into the npm package: smaller, and it keeps compiled code in the user's cache. */
  readonly isPackaged?: true
}

/** Arguments of a run, and the messages on its standard input. */
type WarmUp = { readonly words: readonly string[]; readonly messages: readonly object[] }

/** The window's page, bundled by vite. */
export type PageRecipe = { readonly kind: 'page'; readonly root: string }

/** What is written into workspaces: declarations of what scripts import, and whole workspaces. */
export type WorkspaceRecipe = {
  readonly kind: 'workspace'
  /** The modules that scripts import. */
  readonly modules: readonly string[]
  /** Package, or a folder of it → where its declarations go. */
  readonly packages: Readonly<Record<string, string>>
  /** File beside the declarations → file below the root, copied as it is. */
  readonly files: Readonly<Record<string, string>>
  /** Folder of the build → folder below the root, copied as it is without tests. */
  readonly folders: Readonly<Record<string, string>>
}

const CLIENT = { name: 'warm-up', version: '1' }

/** What clients of either era say first. */
const FIRST_MESSAGES = [
  {
    jsonrpc: '2.0',
    id: 0,
    method: 'server/discover',
    params: {
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
        'io.modelcontextprotocol/clientInfo': CLIENT,
      },
    },
  },
  {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: CLIENT },
  },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
  { jsonrpc: '2.0', id: 2, method: 'tools/list' },
]

export const PARTS: readonly Part[] = [
  {
    name: 'cli',
    what: 'the command line',
    folder: 'cli',
    recipe: {
      kind: 'node',
      format: 'esm',
      entries: {
        patchbay: 'server-core/cli/patchbay.ts',
        'responder-script': 'server-core/responders/scripts/script-process.ts',
        'schema-check-worker': 'server-core/schema-checks/check-worker.ts',
        'stdio-bridge': 'server-core/conformance/exam/stdio-bridge.ts',
      },
      inPlaceOf: { patchbay: 'server-core/cli/serve/notes-authoring.ts' },
      start: [
        'server-core/cli/main.ts',
        'server-core/cli/serve/serve.ts',
        'server-core/transports/stdio/stdio-server.ts',
      ],
      warmUp: { words: ['serve', '--stdio'], messages: FIRST_MESSAGES },
    },
    watchedFolders: [],
  },
  {
    name: 'host',
    what: 'the host',
    folder: 'host',
    recipe: {
      kind: 'node',
      format: 'esm',
      entries: {
        'browser-window': 'server-core/host/window/browser-window.ts',
        'desktop-entry': 'server-core/host/desktop-entry.ts',
        'schema-check-worker': 'server-core/schema-checks/check-worker.ts',
      },
    },
    watchedFolders: [],
  },
  {
    name: 'tool-host',
    what: 'the tool host and what runs scripts of responders',
    folder: 'scripts',
    recipe: {
      kind: 'node',
      format: 'esm',
      entries: {
        'process/tool-process': 'server-core/scripts/process/tool-process.ts',
        'worker/script-worker': 'server-core/scripts/worker/script-worker.ts',
        'authoring/patchbay': 'server-core/scripts/authoring/patchbay.ts',
        'authoring/yaml': 'server-core/scripts/authoring/yaml.ts',
        'authoring/zod': 'node_modules/zod/index.js',
        'responder-script': 'server-core/responders/scripts/script-process.ts',
      },
    },
    watchedFolders: [],
  },
  {
    name: 'workspace',
    what: 'the types of scripts and the first workspace',
    folder: 'workspace',
    recipe: {
      kind: 'workspace',
      modules: ['server-core/scripts/authoring/patchbay.ts', 'server-core/scripts/authoring/yaml.ts'],
      packages: {
        zod: 'zod',
        'yaml/dist': 'yaml',
        '@types/node': '@types/node',
        'undici-types': 'undici-types',
      },
      files: { 'patchbay.schema.json': 'docs/patchbay.schema.json' },
      folders: { notes: 'examples/notes' },
    },
    watchedFolders: ['examples/notes'],
  },
  {
    name: 'shell',
    what: 'the desktop shell',
    folder: 'electron',
    recipe: { kind: 'node', format: 'esm', entries: { main: 'electron/main.ts' } },
    watchedFolders: [],
  },
  {
    name: 'preload',
    what: 'the preload script',
    folder: 'electron',
    recipe: { kind: 'node', format: 'cjs', entries: { preload: 'electron/preload.ts' } },
    watchedFolders: [],
  },
  {
    name: 'renderer',
    what: 'the window',
    folder: 'renderer',
    recipe: { kind: 'page', root: 'renderer' },
    watchedFolders: ['renderer'],
  },
  {
    name: 'bench',
    what: 'the server and the client that are measured',
    folder: 'bench',
    recipe: {
      kind: 'node',
      format: 'esm',
      entries: { server: 'bench/server/server.ts', client: 'bench/client/client.ts' },
    },
    watchedFolders: [],
  },
]

/** What the window needs when it is served to a browser, and the command line, which it installs into other clients. */
export const BROWSER_PARTS: readonly PartName[] = ['host', 'tool-host', 'workspace', 'renderer', 'cli']
/** What the desktop needs. */
export const DESKTOP_PARTS: readonly PartName[] = [...BROWSER_PARTS, 'shell', 'preload']
/** What commands need: those too that run scripts and make workspaces. */
export const CLI_PARTS: readonly PartName[] = ['cli', 'tool-host', 'workspace']

/** Finds a part by its name. */
export function partNamed(name: string): Part | undefined {
  return PARTS.find((part) => part.name === name)
}
