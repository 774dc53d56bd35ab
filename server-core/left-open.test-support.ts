/**
 * What tests have opened and not closed, the newest last: it is closed after each test. Modules that tests share push to
 * it instead of registering a hook of their own, which would be run for the first file alone that loads them.
 */
export const leftOpen: (() => unknown)[] = []
