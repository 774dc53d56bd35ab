import type { Emission, Question } from '../../registry/invocation.ts'
import type { Answers, RunAdapter } from '../run.ts'
import type { Task } from './task.ts'

/** The run of a task's handler: its questions are the task's, its progress is the task's message. */
export class TaskRun implements RunAdapter {
  readonly #task: Task
  readonly #admit: (questions: readonly Question[]) => Promise<void>
  readonly #forward: ((emission: Emission) => void) | undefined

  /**
   * `admit` refuses questions that the client cannot be asked; `forward` takes what the handler sends, where a
   * client gets that of a task.
   */
  constructor(
    task: Task,
    admit: (questions: readonly Question[]) => Promise<void>,
    forward?: (emission: Emission) => void,
  ) {
    this.#task = task
    this.#admit = admit
    this.#forward = forward
  }

  emit(emission: Emission): void {
    if ((emission.type === 'progress' || emission.type === 'task') && emission.message !== undefined) {
      this.#task.setStatusMessage(emission.message)
    }
    this.#forward?.(emission)
  }

  async ask(questions: readonly Question[]): Promise<Answers> {
    await this.#admit(questions)
    return this.#task.ask(questions)
  }
}
