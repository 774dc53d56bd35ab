import path from 'node:path'
import envPaths from 'env-paths'

/** The folder that holds a user's data when none is named: the system's place for application data. */
export function defaultProfile(): string {
  return envPaths('patchbay', { suffix: '' }).data
}

/** The files of a profile. */
export type ProfileFiles = {
  readonly folder: string
  readonly settings: string
  readonly approvals: string
  /** Folders whose code the user lets run. */
  readonly trust: string
  /** Rules, limits and model endpoints that answer servers' questions. */
  readonly responders: string
  /** Tokens that models used up. */
  readonly tokens: string
  /** Folder: what was typed in the editor and is not saved yet. */
  readonly drafts: string
  /** Folder: which processes each run started and did not see end. */
  readonly processes: string
  /** Folder: bundles of scripts whose workspace is read-only. */
  readonly bundles: string
  /** Folder: the recordings of all connections. */
  readonly recordings: string
  /** Folder: what the window showed of each workspace, and the calls that were sent from it. */
  readonly windowState: string
  /** Entries of other clients that start a tap, and what they were before. */
  readonly taps: string
  /** Rules of taps, by client and server. */
  readonly tapRules: string
  /** Folder: the runs of conformance checks, and what was chosen for them. */
  readonly conformance: string
  /** Secrets as readable text, on systems without a key chain. */
  readonly secrets: string
  /** Secrets that only the system's key chain opens. */
  readonly sealedSecrets: string
  /** The workspace that is open when the user named none. */
  readonly defaultWorkspace: string
}

/** Where the parts of a profile are. `folder` may be relative to the current one. */
export function profileFiles(folder: string): ProfileFiles {
  const absolute = path.resolve(folder)
  return {
    folder: absolute,
    settings: path.join(absolute, 'settings.json'),
    approvals: path.join(absolute, 'approvals.json'),
    trust: path.join(absolute, 'trust.json'),
    responders: path.join(absolute, 'responders.json'),
    tokens: path.join(absolute, 'tokens.json'),
    drafts: path.join(absolute, 'drafts'),
    processes: path.join(absolute, 'processes'),
    bundles: path.join(absolute, 'bundles'),
    recordings: path.join(absolute, 'recordings'),
    windowState: path.join(absolute, 'window-state'),
    taps: path.join(absolute, 'taps.json'),
    tapRules: path.join(absolute, 'tap-rules.json'),
    conformance: path.join(absolute, 'conformance'),
    secrets: path.join(absolute, 'secrets.json'),
    sealedSecrets: path.join(absolute, 'secrets.sealed.json'),
    defaultWorkspace: path.join(absolute, 'workspace'),
  }
}

/** The data file of a workspace folder. */
export function workspaceFile(folder: string): string {
  return path.join(path.resolve(folder), 'patchbay.json')
}
