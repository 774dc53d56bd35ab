import { documentUrl } from '../../product/document-url.ts'

/** The page of a check. `id` is that of the catalogue, without a side. */
export function checkPageUrl(id: string): string {
  return documentUrl(`checks/${id}.md`)
}
