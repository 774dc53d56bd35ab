import type { TemplateName } from '../../server-core/host/contract/editor.ts'
import { wantedPlace } from '../editor/open-files.ts'
import { Observable, useObservable } from '../state/observable.ts'

/** The pages that can be in the middle beside the files of the workspace, each in one tab. */
export type RegistryPageTarget =
  /** An entry that no file of the workspace makes, by its line's key: its definition and where it comes from. */
  | { readonly kind: 'entry'; readonly key: string }
  | { readonly kind: 'new-script'; readonly template: TemplateName }
  | { readonly kind: 'compare'; readonly file: string; readonly from: number; readonly to: number }
  | { readonly kind: 'add-source'; readonly source: SourceKind }
  /** What stands right of the middle where there is room for it. */
  | { readonly kind: 'side' }

/** What can be composed into the server without a script. */
export type SourceKind = 'openapi' | 'mount' | 'proxy'

export type BelowTab = 'log' | 'problems' | 'reloads'

export interface RegistryPages {
  readonly pages: readonly RegistryPageTarget[]
  /** The page in front; undefined while a file is. */
  readonly front: RegistryPageTarget | undefined
}

/** The pages that are open in the middle of the registry. Files are open in the editor. */
export const registryPages = new Observable<RegistryPages>({ pages: [], front: undefined })

/** The key of the line that is selected in the table. */
export const selectedKey = new Observable<string | undefined>(undefined)

/** The key of the entry whose name and words are edited. */
export const editedKey = new Observable<string | undefined>(undefined)

/** What is shown below the editor. */
export const belowTab = new Observable<BelowTab>('log')

/** Whether the user is asked for another workspace folder. */
export const openingWorkspace = new Observable(false)

/** The same text for the same page; of entries only one is open at a time. */
export function pageId(page: RegistryPageTarget): string {
  switch (page.kind) {
    case 'entry':
    case 'side':
    case 'new-script':
      return page.kind
    case 'compare':
      return `compare ${page.file}`
    case 'add-source':
      return `add ${page.source}`
  }
}

/** Brings a page to the front; the one with the same id gives its place to it. */
export function openPage(page: RegistryPageTarget): void {
  const { pages } = registryPages.get()
  const place = pages.findIndex((open) => pageId(open) === pageId(page))
  wantedPlace.set(undefined)
  registryPages.set({
    pages: place < 0 ? [...pages, page] : pages.with(place, page),
    front: page,
  })
}

/** Closes a page; if it was in front, its neighbour comes to the front, or the file that was before. */
export function closePage(page: RegistryPageTarget): void {
  const { pages, front } = registryPages.get()
  const place = pages.findIndex((open) => pageId(open) === pageId(page))
  if (place < 0) return
  const kept = pages.toSpliced(place, 1)
  const wasInFront = front !== undefined && pageId(front) === pageId(page)
  registryPages.set({ pages: kept, front: wasInFront ? (kept[place] ?? kept[place - 1]) : front })
}

/** Whether a page is in front. */
export function isInFront(page: RegistryPageTarget): boolean {
  const { front } = registryPages.get()
  return front !== undefined && pageId(front) === pageId(page)
}

/** Lets the file that is in front of the editor be seen. */
export function showFiles(): void {
  const { pages, front } = registryPages.get()
  if (front !== undefined) registryPages.set({ pages, front: undefined })
}

/** Forgets what was selected and open of the workspace that was served before. */
export function forgetWorkspace(): void {
  selectedKey.set(undefined)
  editedKey.set(undefined)
  registryPages.set({ pages: [], front: undefined })
}

/** The pages beside the files, and the one in front. */
export function useRegistryPages(): RegistryPages {
  return useObservable(registryPages)
}
