import type { ProcessRequest } from '../processes/process-starter.ts'

/** What the desktop shell tells the host when it starts it. */
export type ShellStart = {
  readonly profile: string
  readonly workspace?: string
  /** Absolute path: where commands that name no folder start if no workspace is named either. */
  readonly startFolder?: string
  readonly mcpPort?: number
  readonly version: string
  /** Folder of the built files (`dist`). */
  readonly distFolder: string
  /**
   * How `cipher` messages protect secrets: `system` is the key chain of the system; `plain` means the system has
   * none, or it cannot be used now, and the text would in effect be readable.
   */
  readonly encryption: 'system' | 'plain'
}

/** Messages from the shell's main process to the host in its utility process. All are cloneable data. */
export type ShellToHost =
  | { readonly type: 'start'; readonly options: ShellStart }
  /** Something a window's page posted; opaque to the shell. */
  | { readonly type: 'window'; readonly windowId: number; readonly data: string | Uint8Array }
  /** The page was closed or reloaded: its calls and watches end. */
  | { readonly type: 'window-closed'; readonly windowId: number }
  | { readonly type: 'process-started'; readonly processId: number; readonly pid: number }
  | { readonly type: 'process-failed'; readonly processId: number; readonly message: string }
  | { readonly type: 'process-message'; readonly processId: number; readonly message: unknown }
  | {
      readonly type: 'process-output'
      readonly processId: number
      readonly stream: 'stdout' | 'stderr'
      readonly bytes: Uint8Array
    }
  | { readonly type: 'process-exited'; readonly processId: number; readonly code: number | null }
  | {
      readonly type: 'cipher-done'
      readonly requestId: number
      readonly result: string | Uint8Array
      /** Of a decryption: the key changed, and the text should be encrypted and stored again. */
      readonly shouldReEncrypt?: boolean
    }
  | { readonly type: 'cipher-failed'; readonly requestId: number; readonly message: string }
  /** A later start on the same profile named this folder. */
  | { readonly type: 'open-workspace'; readonly folder: string }
  /** Close everything, then exit. */
  | { readonly type: 'stop' }

/** Messages from the host to the shell's main process. */
export type HostToShell =
  | { readonly type: 'ready' }
  | { readonly type: 'failed'; readonly message: string }
  | { readonly type: 'window'; readonly windowId: number; readonly data: string | Uint8Array }
  /** A second start asked for the window to come forward. */
  | { readonly type: 'activate' }
  /** Fork this; `processId` is chosen by the host. */
  | { readonly type: 'process-start'; readonly processId: number; readonly request: ProcessRequest }
  | { readonly type: 'process-post'; readonly processId: number; readonly message: unknown }
  | { readonly type: 'process-kill'; readonly processId: number }
  | { readonly type: 'cipher-encrypt'; readonly requestId: number; readonly text: string }
  | { readonly type: 'cipher-decrypt'; readonly requestId: number; readonly bytes: Uint8Array }
