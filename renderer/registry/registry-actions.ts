import { MutationObserver } from '@tanstack/react-query'
import type {
  AddedSource,
  EntryAmendment,
  RegistryEntry,
  RegistryState,
} from '../../server-core/host/contract/registry.ts'
import { visibleText } from '../../server-core/protocol/visible-text.ts'
import { showFailure, showToast } from '../controls/toast.tsx'
import { keepUnsaved } from '../editor/keep-files.ts'
import { api } from '../host/api.ts'
import { live, queryClient } from '../host/live.ts'
import { Observable } from '../state/observable.ts'
import { registryText } from './text.ts'

/** What was switched and the host has not told back yet, by key: it shows at once. */
export const switchedEntries = new Observable<ReadonlyMap<string, boolean>>(new Map())

/** A failed action shows a notice; returns whether it succeeded. */
async function runAction(title: string, action: () => Promise<RegistryState | undefined>): Promise<boolean> {
  try {
    const state = await action()
    if (state !== undefined) live.applyRegistry(state)
    return true
  } catch (error) {
    showFailure(title, error)
    return false
  }
}

type Amended = { readonly [Name in keyof EntryAmendment]?: EntryAmendment[Name] | undefined }

/**
 * Changes what the user changed of an entry, as the host has it once what was asked before of the same entry is done,
 * however soon one follows the other. Gives whether it was changed, and whether nothing more of the kind waits.
 */
async function amend(
  entry: RegistryEntry,
  kind: 'switched' | 'changed',
  change: (now: EntryAmendment) => Amended,
): Promise<{ readonly done: boolean; readonly isLast: boolean }> {
  const mutationKey = [kind, entry.key]
  const done = await new MutationObserver(queryClient, {
    mutationKey,
    scope: { id: `entry ${entry.key}` },
    mutationFn: () =>
      runAction(registryText.registryActions.couldNotChange(visibleText(entry.shownName)), () =>
        api.registry.amend({ key: entry.key, amendment: withoutNothing(change(amendmentNow(entry))) }),
      ),
  }).mutate()
  return { done, isLast: queryClient.isMutating({ mutationKey }) === 0 }
}

function setSwitched(key: string, enabled: boolean | undefined): void {
  const switched = new Map(switchedEntries.get())
  if (enabled === undefined) switched.delete(key)
  else switched.set(key, enabled)
  switchedEntries.set(switched)
}

/** Switches an entry on or off for clients, optimistically, and offers Undo. */
export async function switchEntry(entry: RegistryEntry, enabled: boolean): Promise<void> {
  if (!(await setEnabled(entry, enabled))) return
  const name = visibleText(entry.shownName)
  showToast({
    title: enabled ? registryText.registryActions.isOn(name) : registryText.registryActions.isOff(name),
    detail: enabled
      ? registryText.registryActions.switchedOnDetail
      : registryText.registryActions.switchedOffDetail,
    action: { label: registryText.registryActions.undo, onClick: () => void setEnabled(entry, !enabled) },
  })
}

async function setEnabled(entry: RegistryEntry, enabled: boolean): Promise<boolean> {
  setSwitched(entry.key, enabled)
  const { done, isLast } = await amend(entry, 'switched', (now) => ({
    ...now,
    enabled: enabled ? undefined : false,
  }))
  if (isLast) setSwitched(entry.key, undefined)
  return done
}

/** The current amendment, which may be newer than the rendered one. */
function amendmentNow(entry: RegistryEntry): EntryAmendment {
  const now = live.parts.registry.get()?.entries.find(({ key }) => key === entry.key)
  return (now ?? entry).amendment ?? {}
}

/** The name and description that clients see; an undefined member is unchanged from the source. */
export type Wording = Pick<EntryAmendment, 'name' | 'title' | 'description' | 'annotations'>

/** Changes how clients see an entry, and offers to undo it; returns whether it was done. */
export async function wordEntry(entry: RegistryEntry, wording: Wording): Promise<boolean> {
  let before: Wording = {}
  const { done } = await amend(entry, 'changed', (now) => {
    before = now
    return { ...wording, enabled: now.enabled }
  })
  if (!done) return false
  showToast({
    title: registryText.registryActions.changed(visibleText(entry.shownName)),
    detail: registryText.registryActions.amendedDetail,
    action: {
      label: registryText.registryActions.undo,
      onClick: () => void amend(entry, 'changed', ({ enabled }) => ({ ...before, enabled })),
    },
  })
  return true
}

/** Omits undefined members; returns null if none is left. */
function withoutNothing(amendment: Amended): EntryAmendment | null {
  const { enabled, name, title, description, annotations } = amendment
  const kept: EntryAmendment = {
    ...(enabled === undefined ? {} : { enabled }),
    ...(name === undefined ? {} : { name }),
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(annotations === undefined ? {} : { annotations }),
  }
  return Object.keys(kept).length === 0 ? null : kept
}

/** Starts or stops serving, and offers Undo. */
export async function setServing(serving: boolean): Promise<void> {
  const done = await runAction(registryText.registryActions.couldNotChangeSetting, () =>
    api.registry.setServing({ serving }),
  )
  if (!done || serving) return
  showToast({
    title: registryText.registryActions.servingStopped,
    detail: registryText.registryActions.servingOffDetail,
    tone: 'warn',
    action: { label: registryText.registryActions.serveAgain, onClick: () => void setServing(true) },
  })
}

/** Trusts the shown folder, so that its scripts run. */
export async function trustFolder(folder: string): Promise<void> {
  await runAction(registryText.registryActions.couldNotTrustFolder, () => api.registry.trust({ folder }))
}

/** Serves another folder from now on; returns whether it does. */
export function openFolder(folder: string): Promise<boolean> {
  return runAction(registryText.registryActions.couldNotOpen(folder), async () => {
    await keepUnsaved()
    return api.registry.openWorkspace({ folder })
  })
}

/** Restarts a script that was switched off after crashes. */
export async function switchOnScript(file: string): Promise<void> {
  await runAction(registryText.registryActions.couldNotSwitchOn(file), () => api.registry.switchOn({ file }))
}

/** Restores the sources of an earlier revision as a new revision. */
export async function backTo(file: string, revision: number): Promise<void> {
  await runAction(registryText.registryActions.couldNotRestoreRevision(file, revision), async () => {
    const { written } = await api.registry.backTo({ file, revision })
    showToast({
      title: registryText.registryActions.restoredRevision(revision),
      detail: registryText.registryActions.saved(written.join(', ')),
      tone: 'ok',
    })
    return undefined
  })
}

/** The document, folder or server of an added source, with its prefix. */
export function placeOf({ kind, data }: AddedSource): string {
  const place = kind === 'openapi' ? data.document : kind === 'mount' ? data.folder : data.server
  return data.prefix === undefined ? place : `${data.prefix}: ${place}`
}

/** Removes an added source, and offers to undo it. */
export async function removeSource(source: AddedSource): Promise<void> {
  const place = visibleText(placeOf(source))
  if (
    !(await runAction(registryText.registryActions.couldNotRemove(place), () =>
      api.registry.removeSource({ source }),
    ))
  )
    return
  showToast({
    title: registryText.registryActions.removed(place),
    detail: registryText.registryActions.sourceRemovedDetail,
    icon: 'trash',
    action: {
      label: registryText.registryActions.undo,
      onClick: () =>
        void runAction(registryText.registryActions.couldNotRestore(place), () =>
          api.registry.addSource({ source }),
        ),
    },
  })
}
