import { useQuery } from '@tanstack/react-query'
import { Button } from '../controls/button.tsx'
import { Dialog } from '../controls/dialog.tsx'
import { query } from '../host/api.ts'
import { ClientRow } from './client-row.tsx'
import { installDialog, type InstallDialog } from './dialogs.ts'
import styles from './install.module.css'
import { installText } from './text.ts'

const close = (): void => installDialog.set(undefined)

/** Every known client: those on this machine with our entries, the others by name. */
export function AddToClient({ server }: { server: InstallDialog['server'] }) {
  const clients = useQuery(query.install.clients.queryOptions({ staleTime: 0, gcTime: 0 }))
  const all = clients.data ?? []
  const here = all.filter(({ state }) => state !== 'absent')
  const absent = all.filter(({ state }) => state === 'absent')
  const what = server === undefined ? 'this workspace' : `“${server.name}”`
  return (
    <Dialog
      open
      onOpenChange={close}
      wide
      title={installText.addToClient.addToAClient}
      description={installText.addToClient.whatHappens(what)}
      actions={<Button onClick={close}>{installText.addToClient.close}</Button>}
    >
      {clients.error !== null && (
        <p className={styles.error} role="alert">
          {clients.error.message}
        </p>
      )}
      <ul
        className={styles.clients}
        aria-label={installText.addToClient.clients}
        aria-busy={clients.isPending}
      >
        {here.map((client) => (
          <ClientRow key={client.id} client={client} serverId={server?.id} />
        ))}
      </ul>
      {clients.isSuccess && here.length === 0 && (
        <p className={styles.note}>{installText.addToClient.noClients}</p>
      )}
      {absent.length > 0 && (
        <p className={styles.note}>
          {installText.addToClient.notInstalled} {absent.map(({ title }) => title).join(', ')}
        </p>
      )}
    </Dialog>
  )
}
