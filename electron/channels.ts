/** The channels between the preload and the main process. */
export const FROM_PAGE = 'patchbay:from-page'
export const TO_PAGE = 'patchbay:to-page'
/** A command of the menu, by the id that it has in the page. */
export const COMMAND = 'patchbay:command'
