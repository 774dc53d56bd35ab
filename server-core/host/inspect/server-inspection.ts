import type { Connection } from '../../client/connection.ts'
import type { JsonRpcNotification } from '../../protocol/messages.ts'
import type { Inspection } from '../contract/inspection.ts'
import { ChosenLogLevel } from './log-level.ts'
import { TaskTracker, type TaskTrackerOptions } from '../tasks/task-tracker.ts'
import { KeptLists } from './kept-lists.ts'
import { ResourceSubscriptions } from './resource-subscriptions.ts'

/** What a user set up on one server, which outlives each of its connections, and what the server listed on this one. */
export class ServerInspection {
  readonly subscriptions: ResourceSubscriptions
  /** What the server listed on its present connection. */
  readonly lists = new KeptLists()
  readonly logLevel: ChosenLogLevel
  /** What calls turned into. */
  readonly tasks: TaskTracker

  /** @param changed called whenever `state` gives something else */
  constructor(changed: () => void, tasks: TaskTrackerOptions) {
    this.subscriptions = new ResourceSubscriptions(changed)
    this.logLevel = new ChosenLogLevel(changed)
    this.tasks = new TaskTracker(tasks)
  }

  /** The connection from now on; undefined while there is none. */
  follow(connection: Connection | undefined): void {
    this.lists.follow(connection)
    this.subscriptions.follow(connection)
    this.logLevel.follow(connection)
    this.tasks.follow(connection)
  }

  /** Handles every notification of the server. */
  notification({ method, params }: JsonRpcNotification): void {
    const uri = params?.['uri']
    if (method === 'notifications/resources/updated' && typeof uri === 'string')
      this.subscriptions.updated(uri)
  }

  state(): Omit<Inspection, 'serverId'> {
    const { level } = this.logLevel
    return { ...(level !== undefined && { logLevel: level }), subscriptions: this.subscriptions.list() }
  }
}
