import { messageOf } from '../../server-core/protocol/error-message.ts'
import { Observable } from '../state/observable.ts'
import { showNotice } from '../state/window-notices.ts'
import { workspaceParts } from '../state/workspace-parts.ts'
import { api, hostSession } from './api.ts'
import { hostText } from './text.ts'

const NOTICE = 'patchbay.window-state'

/** Whether it is known what the window shows: until then nothing of it may be drawn. */
export const windowLoaded = new Observable(false)

/**
 * Loads what the host stored of the window, unless this window has its own from before its page was loaded again, and
 * has everything stored from now on.
 *
 * @param hasOwn whether this window has its own
 * @param restore brings back what is stored
 */
export async function loadStoredWindow(hasOwn: boolean, restore: () => void): Promise<void> {
  if (!hasOwn) await load()
  restore()
  windowLoaded.set(true)
  if (workspaceParts.isDamaged) await setAside()
  workspaceParts.connect(async (parts) => {
    try {
      await api.windowState.save(parts)
    } catch (error) {
      // It is stored again when the host is back.
      if (hostSession.state.get().status === 'open') report(hostText.storedWindow.notSaved, error)
    }
  })
  hostSession.opened.subscribe(() => workspaceParts.saveAll())
}

async function load(): Promise<void> {
  try {
    workspaceParts.load(await api.windowState.load())
  } catch (error) {
    report(hostText.storedWindow.notLoaded, error)
  }
}

/** Has the host keep a copy of what cannot be read, before it is replaced. */
async function setAside(): Promise<void> {
  try {
    const { keptAs } = await api.windowState.setAside()
    showNotice({
      id: NOTICE,
      title: hostText.storedWindow.setAside,
      detail: hostText.storedWindow.keptAs(keptAs),
    })
  } catch (error) {
    report(hostText.storedWindow.notSetAside, error)
  }
}

function report(title: string, error: unknown): void {
  showNotice({ id: NOTICE, title, detail: messageOf(error) })
}
