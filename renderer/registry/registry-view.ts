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

/** The kinds of sources that need no script. */
export type SourceKind = 'openapi' | 'mount' | 'proxy'

export type BelowTab = 'log' | 'problems' | 'reloads'

export interface RegistryPages {
  readonly pages: readonly RegistryPageTarget[]
  /** The active page; undefined while a file is active. */
  readonly front: RegistryPageTarget | undefined
}

/** The open pages of the registry. The editor has the open files. */
export const registryPages = new Observable<RegistryPages>({ pages: [], front: undefined })

/** The key of the selected line. */
export const selectedKey = new Observable<string | undefined>(undefined)

/** The key of the entry in the form below the table. */
export const editedKey = new Observable<string | undefined>(undefined)

/** The tab below the editor. */
export const belowTab = new Observable<BelowTab>('log')

/** Whether the dialog for another workspace folder is open. */
export const openingWorkspace = new Observable(false)

/** The identity of a page. Only one entry is open at a time. */
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

/** Opens and activates a page; replaces a page with the same id. */
export function openPage(page: RegistryPageTarget): void {
  const { pages } = registryPages.get()
  const place = pages.findIndex((open) => pageId(open) === pageId(page))
  wantedPlace.set(undefined)
  registryPages.set({
    pages: place < 0 ? [...pages, page] : pages.with(place, page),
    front: page,
  })
}

/** Closes a page; if it was active, activates its neighbour or the previous file. */
export function closePage(page: RegistryPageTarget): void {
  const { pages, front } = registryPages.get()
  const place = pages.findIndex((open) => pageId(open) === pageId(page))
  if (place < 0) return
  const kept = pages.toSpliced(place, 1)
  const wasInFront = front !== undefined && pageId(front) === pageId(page)
  registryPages.set({ pages: kept, front: wasInFront ? (kept[place] ?? kept[place - 1]) : front })
}

/** Whether a page is active. */
export function isInFront(page: RegistryPageTarget): boolean {
  const { front } = registryPages.get()
  return front !== undefined && pageId(front) === pageId(page)
}

/** Shows the active file of the editor. */
export function showFiles(): void {
  const { pages, front } = registryPages.get()
  if (front !== undefined) registryPages.set({ pages, front: undefined })
}

/** Clears the selection and the pages of the previous workspace. */
export function forgetWorkspace(): void {
  selectedKey.set(undefined)
  editedKey.set(undefined)
  registryPages.set({ pages: [], front: undefined })
}

/** The open pages and the active one. */
export function useRegistryPages(): RegistryPages {
  return useObservable(registryPages)
}
