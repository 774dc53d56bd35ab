import { Emitter } from '../../server-core/protocol/emitter.ts'
import { useSyncExternalStore } from 'react'

/** A value that is watched: for streams, which would re-render too much through a query cache. */
export class Observable<Value> {
  #value: Value
  readonly #changes = new Emitter()

  constructor(value: Value) {
    this.#value = value
  }

  readonly get = (): Value => this.#value

  /** Sets the value; notifies no listener if it is the same. */
  set(value: Value): void {
    if (Object.is(value, this.#value)) return
    this.#value = value
    this.#changes.emit()
  }

  readonly subscribe = this.#changes.listen
}

/** The present value; renders again when it changes. */
export function useObservable<Value>(observable: Observable<Value>): Value {
  return useSyncExternalStore(observable.subscribe, observable.get)
}

/** A part of the value; renders again only when `select` gives another one, so it must give the same for the same. */
export function useSelected<Value, Part>(
  observable: Observable<Value>,
  select: (value: Value) => Part,
): Part {
  return useSyncExternalStore(observable.subscribe, () => select(observable.get()))
}
