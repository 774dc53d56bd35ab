/** The way to a value inside a message. */
export type Path = readonly (string | number)[]
