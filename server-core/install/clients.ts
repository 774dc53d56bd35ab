/** A program that starts servers which its configuration file names. */
export type ClientId =
  'claude-desktop' | 'claude-code' | 'cursor' | 'vscode' | 'codex' | 'gemini' | 'openclaw'

/** Folders of a user that depend on the system, or the value of a variable by which the user moved them. */
export type Base = 'home' | 'appData' | 'localAppData' | { readonly variable: string }

/** One of the places where a client's file may be. */
export type Candidate = {
  readonly base: Base
  /** Only there. */
  readonly platform?: NodeJS.Platform
  /** If one of these is there, below the base, so is the client. A `*` stands for the rest of one name. */
  readonly signs: readonly string[]
  /** Its files below the base (or below what the `*` stood for): the first that is there, else the last. */
  readonly files: readonly string[]
}

/** A client, as data. */
export type ClientRow = {
  readonly id: ClientId
  readonly title: string
  /** Where its user's file is: the first candidate that is there, else the last that is possible. */
  readonly user: readonly Candidate[]
  /** Its file in the folder of a project, if it reads one. */
  readonly project?: string
  /** Names of the maps around the entries. */
  readonly path: readonly string[]
  /** Entries carry their transport as `type`. */
  readonly typed: boolean
  /** Its JSON is JSON5. */
  readonly json5?: true
}

const home = (sign: string, ...files: readonly string[]): Candidate => ({
  base: 'home',
  signs: [sign],
  files,
})

const moved = (variable: string, ...files: readonly string[]): Candidate => ({
  base: { variable },
  signs: [''],
  files,
})

/** All that are known. */
export const CLIENTS: readonly ClientRow[] = [
  {
    id: 'claude-desktop',
    title: 'Claude Desktop',
    user: [
      {
        // What comes as a package has a folder of its own in place of the usual one, which it never reads.
        base: 'localAppData',
        platform: 'win32',
        signs: ['Packages/Claude_*'],
        files: ['LocalCache/Roaming/Claude/claude_desktop_config.json'],
      },
      { base: 'appData', signs: ['Claude'], files: ['Claude/claude_desktop_config.json'] },
    ],
    path: ['mcpServers'],
    typed: false,
  },
  {
    id: 'claude-code',
    title: 'Claude Code',
    user: [
      moved('CLAUDE_CONFIG_DIR', '.claude.json'),
      { base: 'home', signs: ['.claude.json', '.claude'], files: ['.claude.json'] },
    ],
    project: '.mcp.json',
    path: ['mcpServers'],
    typed: true,
  },
  {
    id: 'cursor',
    title: 'Cursor',
    user: [home('.cursor', '.cursor/mcp.json')],
    project: '.cursor/mcp.json',
    path: ['mcpServers'],
    typed: true,
  },
  {
    id: 'vscode',
    title: 'VS Code',
    user: [
      moved('VSCODE_PORTABLE', 'user-data/User/mcp.json'),
      { base: 'appData', signs: ['Code'], files: ['Code/User/mcp.json'] },
    ],
    project: '.vscode/mcp.json',
    path: ['servers'],
    typed: true,
  },
  {
    id: 'codex',
    title: 'Codex',
    user: [moved('CODEX_HOME', 'config.toml'), home('.codex', '.codex/config.toml')],
    project: '.codex/config.toml',
    path: ['mcp_servers'],
    typed: false,
  },
  {
    id: 'gemini',
    title: 'Gemini CLI',
    user: [moved('GEMINI_CLI_HOME', '.gemini/settings.json'), home('.gemini', '.gemini/settings.json')],
    project: '.gemini/settings.json',
    path: ['mcpServers'],
    typed: false,
  },
  {
    id: 'openclaw',
    title: 'OpenClaw',
    user: [
      moved('OPENCLAW_CONFIG_PATH', ''),
      moved('OPENCLAW_STATE_DIR', 'openclaw.yaml', 'openclaw.yml', 'openclaw.json'),
      moved('OPENCLAW_HOME', '.openclaw/openclaw.yaml', '.openclaw/openclaw.yml', '.openclaw/openclaw.json'),
      home('.openclaw', '.openclaw/openclaw.yaml', '.openclaw/openclaw.yml', '.openclaw/openclaw.json'),
    ],
    path: ['mcp', 'servers'],
    typed: false,
    json5: true,
  },
]

/** The row of an id. */
export function clientOf(id: ClientId): ClientRow {
  const row = CLIENTS.find((client) => client.id === id)
  if (row === undefined) throw new Error(`there is no row for ${id}`)
  return row
}
