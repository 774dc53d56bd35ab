import type { LogLevel } from '../../server-core/protocol/log-level.ts'
import { logLevelSchema } from '../../server-core/host/contract/inspection.ts'
import type { ServerState } from '../../server-core/host/contract/servers.ts'
import { isJsonObject } from '../../server-core/protocol/json.ts'
import { visibleText } from '../../server-core/protocol/visible-text.ts'
import { Button } from '../controls/button.tsx'
import { Menu } from '../controls/menu.tsx'
import { useInspection, useServer } from '../host/live.ts'
import { useSelectedServerId } from '../state/selection.ts'
import { setLogLevel } from './set-log-level.ts'
import { timelineText } from './text.ts'

/** Whether the least severity of a server's log messages can be set. */
export function offersLogging(server: ServerState | undefined): server is ServerState {
  return server?.status === 'connected' && isJsonObject(server.capabilities?.['logging'])
}

/**
 * From which severity on the selected server sends log messages (specification: Logging), and a way to see nothing
 * else. Nothing if it offers none.
 */
export function LogLevelMenu({ onFilter }: { onFilter: (text: string) => void }) {
  const server = useServer(useSelectedServerId())
  const chosen = useInspection(server?.id)?.logLevel
  if (!offersLogging(server)) return null
  const name = visibleText(server.name)
  return (
    <Menu
      trigger={
        <Button
          tone="quiet"
          icon="updown"
          aria-label={timelineText.logLevelMenu.logLevelOf(name, chosen ?? 'not set')}
        >
          {timelineText.logLevelMenu.log} {chosen ?? timelineText.logLevelMenu.level}
        </Button>
      }
      entries={[
        {
          type: 'choices',
          label: timelineText.logLevelMenu.sendsLogMessagesFrom(name),
          options: logLevelSchema.options.map((level) => ({ value: level, label: level })),
          value: chosen ?? '',
          onChange: (level) => void setLogLevel(server, level as LogLevel),
        },
        { type: 'separator', key: 'see' },
        {
          type: 'item',
          icon: 'filter',
          label: timelineText.logLevelMenu.showOnly,
          onSelect: () => onFilter(`method:notifications/message server:${filterWord(server.name)}`),
        },
      ]}
    />
  )
}

function filterWord(name: string): string {
  return /^[\w.-]+$/.test(name) ? name : `"${name.replaceAll('"', '')}"`
}
