import { useMutation, useQuery } from '@tanstack/react-query'
import type { Settings } from '../../server-core/host/contract/app.ts'
import { showFailure } from '../controls/toast.tsx'
import { query } from '../host/api.ts'
import { queryClient } from '../host/live.ts'
import { appText } from './text.ts'

/** What the user set, kept by the host. `undefined` until it was fetched. */
export function useSettings(): Settings | undefined {
  return useQuery(query.app.settings.queryOptions()).data
}

const SAVING = ['saving settings']

/** Saves some of the settings; shows them at once, and tells if the host could not keep them. */
export function useSaveSettings(): (settings: Partial<Settings>) => void {
  const key = query.app.settings.queryKey()
  const { mutate } = useMutation(
    query.app.saveSettings.mutationOptions({
      mutationKey: SAVING,
      scope: { id: 'settings' },
      onMutate: (settings) =>
        queryClient.setQueryData(key, (old) => (old === undefined ? old : merged(old, settings))),
      onSuccess: (saved) => {
        // What is saved after it is shown already.
        if (queryClient.isMutating({ mutationKey: SAVING }) === 1) queryClient.setQueryData(key, saved)
      },
      onError: (error) => showFailure(appText.settings.couldNotSaveSettings, error),
    }),
  )
  return mutate
}

/** Members that are absent or undefined stay as they are. */
type SettingsChange = { readonly [Name in keyof Settings]?: Settings[Name] | undefined }

function merged(old: Settings, { theme, layout }: SettingsChange): Settings {
  return { ...old, ...(theme === undefined ? {} : { theme }), ...(layout === undefined ? {} : { layout }) }
}
