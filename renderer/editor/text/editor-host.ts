import type { WorkspaceFiles } from '../../../server-core/host/contract/editor.ts'
import type { LanguageHost } from '../language/host-transport.ts'
import type { FileHost } from './document.ts'

/** What the editor needs of the host: a part of its contract. */
export type EditorHost = FileHost & {
  files(): Promise<WorkspaceFiles>
  readonly languageServer: LanguageHost
}
