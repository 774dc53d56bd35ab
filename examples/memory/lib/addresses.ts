/** The URI under which a conversation is read. */
export function conversationUri(id: string): string {
  return `memory://conversations/${encodeURIComponent(id)}`
}

/** The URI under which the facts about a user are read. */
export function factsUri(user: string): string {
  return `memory://users/${encodeURIComponent(user)}`
}
