/** Anything that JSON can carry. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

/** What is known of a conversation without reading it. */
export type ConversationInfo = { readonly id: string; readonly savedAt: string; readonly bytes: number }

/** Something that is remembered of a user. */
export type Fact = { readonly key: string; readonly value: string }

/**
 * Where conversations and facts about users are kept. `SqliteStore` and `FileStore` are stores; another is made by
 * extending this class, or one of them, and giving it in `patchbay.config.ts`. Several scripts use a store at the same
 * time, each through an object of its own: what one wrote, the others read.
 */
export abstract class MemoryStore {
  /** The snapshot that was saved last; undefined if there is none. */
  abstract loadConversation(id: string): Promise<Json | undefined>

  /** Keeps a snapshot in place of the one before. True if it is the first. */
  abstract saveConversation(id: string, snapshot: Json): Promise<boolean>

  /** False if there was none. */
  abstract deleteConversation(id: string): Promise<boolean>

  /** All conversations, by id. */
  abstract conversations(): Promise<readonly ConversationInfo[]>

  /** Keeps a fact in place of the one with the same key. */
  abstract saveFact(user: string, fact: Fact): Promise<void>

  /** All that is known of a user, by key. */
  abstract facts(user: string): Promise<readonly Fact[]>

  /** False if there was none. */
  abstract deleteFact(user: string, key: string): Promise<boolean>

  /** The users of whom something is known, by id. */
  abstract users(): Promise<readonly string[]>

  /** Lets go of what the store holds open. */
  close(): Promise<void> {
    return Promise.resolve()
  }

  /** What is written in place of a text. A store that encrypts overrides it, and `decode` too. */
  protected encode(text: string): string {
    return text
  }

  /** The text that was written. */
  protected decode(text: string): string {
    return text
  }
}
