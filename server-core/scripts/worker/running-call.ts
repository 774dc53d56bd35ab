import { AsyncLocalStorage } from 'node:async_hooks'
import type { ScriptCall } from '../script-host.ts'

/** The call on whose behalf code of this Worker runs. */
export const runningCall = new AsyncLocalStorage<ScriptCall>()

/** The call that runs just now, as a member of a message. */
export function ofRunningCall(): { readonly call?: ScriptCall } {
  const call = runningCall.getStore()
  return call === undefined ? {} : { call }
}
