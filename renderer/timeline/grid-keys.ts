import type { Exchange } from '../../server-core/host/contract/traffic.ts'
import type { TimelineView } from './timeline-model.ts'

export type GridStep =
  | { readonly type: 'move'; readonly by: 1 | -1; readonly pages: boolean }
  | { readonly type: 'edge'; readonly last: boolean }
  | { readonly type: 'parent'; readonly place: number }
  | { readonly type: 'expand'; readonly id: string; readonly isExpanded: boolean }
  | { readonly type: 'open' }
  | { readonly type: 'close' }

/** What a key does in a tree grid of rows (ARIA Authoring Practices), with the selected row if there is one. */
export function stepOf(key: string, row: Exchange | undefined, view: TimelineView): GridStep | undefined {
  const isParent = row !== undefined && view.tree.childrenOf(row.id).length > 0
  const isExpanded = row !== undefined && view.expanded.has(row.id)
  switch (key) {
    case 'ArrowDown':
    case 'ArrowUp':
      return { type: 'move', by: key === 'ArrowDown' ? 1 : -1, pages: false }
    case 'PageDown':
    case 'PageUp':
      return { type: 'move', by: key === 'PageDown' ? 1 : -1, pages: true }
    case 'Home':
    case 'End':
      return { type: 'edge', last: key === 'End' }
    case 'ArrowRight':
      if (!isParent) return undefined
      return isExpanded
        ? { type: 'move', by: 1, pages: false }
        : { type: 'expand', id: row.id, isExpanded: true }
    case 'ArrowLeft': {
      if (isParent && isExpanded) return { type: 'expand', id: row.id, isExpanded: false }
      const place = row?.parentId === undefined ? undefined : view.tree.placeOf(row.parentId)
      return place === undefined ? undefined : { type: 'parent', place }
    }
    case 'Enter':
    case ' ':
      return row === undefined ? undefined : { type: 'open' }
    case 'Escape':
      return { type: 'close' }
    default:
      return undefined
  }
}
