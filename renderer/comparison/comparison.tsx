import { lazy, Suspense } from 'react'
import { useObservable } from '../state/observable.ts'
import { openComparison } from './comparison-state.ts'

const ComparisonDialog = lazy(() => import('./comparison-dialog.tsx'))

/** The comparison, if one is open. Once in the page. */
export function Comparison() {
  const compared = useObservable(openComparison)
  if (compared === undefined) return null
  return (
    <Suspense fallback={null}>
      <ComparisonDialog compared={compared} />
    </Suspense>
  )
}
