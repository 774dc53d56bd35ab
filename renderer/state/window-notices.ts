import { Observable } from './observable.ts'

/** Something the user should know about this window, and that the host does not know. */
export type WindowNotice = {
  readonly id: string
  readonly title: string
  readonly detail: string
  readonly action?: { readonly label: string; readonly run: () => void }
}

/** Shown under the title bar until they are dismissed; the newest last. */
export const windowNotices = new Observable<readonly WindowNotice[]>([])

/** Shows a notice; one with the same id is replaced. */
export function showNotice(notice: WindowNotice): void {
  windowNotices.set([...windowNotices.get().filter(({ id }) => id !== notice.id), notice])
}

export function dismissNotice(id: string): void {
  windowNotices.set(windowNotices.get().filter((notice) => notice.id !== id))
}
