/** Turns a partial module into one that names what is missing instead of giving undefined. */
export function strict<T extends object>(name: string, partial: T): T {
  return new Proxy(partial, {
    get(target, key, receiver): unknown {
      if (
        key in target ||
        typeof key === 'symbol' ||
        key === 'then' ||
        key === 'toJSON' ||
        key === '__esModule'
      ) {
        return Reflect.get(target, key, receiver)
      }
      throw new Error(`electron stand-in: ${name}.${key} is not implemented`)
    },
  })
}

/** Electron's cancellable event. */
export function cancellable<T extends object>(
  facts: T,
): T & { defaultPrevented: boolean; preventDefault(): void } {
  return {
    ...facts,
    defaultPrevented: false,
    preventDefault() {
      this.defaultPrevented = true
    },
  }
}
