import { lazy, Suspense } from 'react'
import { useObservable } from '../state/observable.ts'
import { openTest } from './tested-exchange.ts'

const TestDialog = lazy(() => import('./test-dialog.tsx'))

/** The dialog with a test, if one is open. Once in the page. */
export function TestFile() {
  const tested = useObservable(openTest)
  if (tested === undefined) return null
  return (
    <Suspense fallback={null}>
      <TestDialog tested={tested} />
    </Suspense>
  )
}
