import { servedMember } from '../../live/serve-switch.ts'
import { SwitchedRegistry } from '../../live/switched-registry.ts'
import type { LiveWorkspace } from '../../live/live-workspace.ts'
import type { ServeLog } from './serve-log.ts'

/**
 * Whether a workspace is served to clients. `--off` and `serve.enabled` in its `patchbay.json` say how it starts; every
 * later change of the file switches it while it runs. Off, the listener answers 503, and what is connected already (over
 * stdio, for example) sees empty lists.
 */
export class ServeSwitch {
  /** What the server reads: the workspace, or nothing while it is off. */
  readonly registry = new SwitchedRegistry()
  readonly #live: LiveWorkspace
  readonly #log: ServeLog
  #member: unknown

  /** @param startsOff whatever the file says */
  constructor(live: LiveWorkspace, log: ServeLog, startsOff: boolean) {
    this.#live = live
    this.#log = log
    this.#member = servedMember(live.document)
    this.registry.put(live.registry)
    this.#switch(!startsOff && live.isEnabled)
  }

  /** Why nothing is served; undefined while something is. */
  get reason(): string | undefined {
    return this.registry.isOn
      ? undefined
      : 'This server is switched off: "serve": { "enabled": true } in its patchbay.json switches it on'
  }

  /** Applies the switch in `patchbay.json`, if it changed. */
  follow(): void {
    const member = servedMember(this.#live.document)
    if (member === this.#member) return
    this.#member = member
    this.#switch(this.#live.isEnabled)
  }

  #switch(isOn: boolean): void {
    const before = this.registry.isOn
    this.registry.switch(isOn)
    if (before === isOn) return
    if (isOn) this.#log.info('switched on')
    else this.#log.warning(this.reason ?? '')
  }
}
