import type { ExchangeFrames } from '../../server-core/host/contract/recordings.ts'
import { Observable } from '../state/observable.ts'

/** An exchange that is compared, with the words for its column. */
export type ComparedExchange = ExchangeFrames & { readonly title: string }

/** What is compared. */
export type Compared =
  | { readonly type: 'exchanges'; readonly before: ComparedExchange; readonly after: ComparedExchange }
  | { readonly type: 'recordings'; readonly before: string; readonly after: string | undefined }

/** The comparison that is open. */
export const openComparison = new Observable<Compared | undefined>(undefined)

/** The exchange that was chosen to be compared with another one. */
export const exchangeToCompare = new Observable<ComparedExchange | undefined>(undefined)

/** What every comparison leaves out, for as long as the window lives. */
export const comparing = new Observable<{ readonly ignore: readonly string[]; readonly exact: boolean }>({
  ignore: [],
  exact: false,
})
